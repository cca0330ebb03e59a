import type { NewDeviceToken } from '#lib/domain/signed-links.ts';
import { newDevicePath } from '#lib/emailed-paths.ts';
import {
	ada,
	eventLines,
	requested,
	TOKEN,
	type MailDefinition,
	type MailOf
} from './mail-definition.ts';
import { letter, lines, link, paragraph } from './layout.ts';

type NewDeviceMail = MailOf<'new_device'>;

const linkOf = ({ token }: NewDeviceMail, origin: string): string => origin + newDevicePath(token);

const template = letter(
	paragraph('{{unknown}}'),
	link('{{newDeviceUrl}}', '{{notMe}}'),
	lines('{{when}}', '{{source}}'),
	paragraph('{{known}}')
);

const example = {
	to: ada,
	token: `session.device.${TOKEN}` as string as NewDeviceToken,
	hasKey: true,
	...requested
};

/** Sent to the owner of an account. Its link signs the device out, and gives access to nothing. */
export const newDevice: MailDefinition<NewDeviceMail> = {
	name: 'new-device notice',
	detail: linkOf,
	write: (mail, { site, origin, messages }) => {
		const newBecause = mail.hasKey
			? 'A browser counts as new after you delete its cookies.'
			: 'This app counts as new each time. We email you about it at most once a day.';
		return {
			template,
			subject: `New sign-in to ${site}`,
			values: {
				unknown:
					'If this wasn’t you, sign the device out, and change the password of your email account.',
				notMe: 'Sign the device out',
				newDeviceUrl: linkOf(mail, origin),
				...eventLines(messages, 'Signed in', mail),
				known: `If it was you, you don’t need to do anything. ${newBecause}`,
				preheader: 'If this wasn’t you, sign the device out immediately.'
			}
		};
	},
	examples: [example, { ...example, hasKey: false }]
};
