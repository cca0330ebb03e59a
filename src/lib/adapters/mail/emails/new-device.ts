import type { NewDeviceToken } from '#lib/domain/signed-links.ts';
import { ada, requested, sourceText, TOKEN, type EmailKind, type MailOf } from './email-kind.ts';
import { letter, link, mildObjection, paragraph } from './layout.ts';

type NewDeviceMail = MailOf<'new_device'>;

const linkOf = ({ token }: NewDeviceMail, origin: string): string =>
	`${origin}/auth/new-device/${token}`;

const template = letter(
	paragraph('{{intro}}'),
	paragraph('{{detail}}'),
	paragraph('{{known}}'),
	paragraph('{{unknown}}'),
	link('{{newDeviceUrl}}', '{{notMe}}'),
	mildObjection
);

const example = {
	to: ada,
	token: `session.device.${TOKEN}` as string as NewDeviceToken,
	hasKey: true,
	...requested
};

/** Sent to the owner of an account. Its link signs the device out, and gives access to nothing. */
export const newDevice: EmailKind<NewDeviceMail> = {
	name: 'new-device notice',
	detail: linkOf,
	write: (mail, { site, origin, messages }) => {
		const newBecause = mail.hasKey
			? 'A browser also counts as new after its cookies were deleted.'
			: 'We can’t recognise this app the next time it signs in. We email you about such sign-ins at most once a day.';
		return {
			template,
			subject: `New sign-in to ${site}`,
			reason: `You get this email because your email address belongs to an account at ${site}.`,
			values: {
				intro: `Someone signed in to your account at ${site} on a new device.`,
				detail: `Signed in on ${messages.mail.moment(mail.at)} from ${sourceText(messages, mail.client)}.`,
				known: `If this was you, you don’t need to do anything. ${newBecause}`,
				unknown:
					'If this wasn’t you, sign the device out. You’ll confirm on the page that opens, and it says what to do next.',
				notMe: 'This wasn’t me',
				newDeviceUrl: linkOf(mail, origin),
				object: 'If something in your account has changed, contact us:',
				preheader: 'If this wasn’t you, sign the device out immediately.'
			}
		};
	},
	examples: [example, { ...example, hasKey: false }]
};
