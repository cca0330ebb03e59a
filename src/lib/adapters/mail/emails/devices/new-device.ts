import type { NewDeviceMail } from '#lib/domain/mail.ts';
import { newDeviceLink } from '../../devices/new-device-link.ts';
import { newDevice as template } from '../../templates/new-device.ts';
import { sourceText, type EmailKind } from '../email-kind.ts';

const texts = {
	subject: (site: string): string => `New sign-in to ${site}`,
	reason: (site: string): string =>
		`You get this email because your email address belongs to an account at ${site}.`,
	intro: (site: string): string => `Someone signed in to your account at ${site} on a new device.`,
	detail: (at: string, source: string): string => `Signed in on ${at} from ${source}.`,
	known: 'If this was you, you don’t need to do anything.',
	forgotten: 'A browser also counts as new after its cookies were deleted.',
	keyless:
		'We can’t recognise this app the next time it signs in. We email you about such sign-ins at most once a day.',
	unknown:
		'If this wasn’t you, sign the device out. You’ll confirm on the page that opens, and it says what to do next.',
	notMe: 'This wasn’t me',
	fallback: 'If the button doesn’t work, open this link:',
	object: 'If something in your account has changed, contact us:',
	preheader: 'If this wasn’t you, sign the device out immediately.'
};

/** Sent to the owner of an account. Its link signs the device out, and gives access to nothing. */
export const newDevice: EmailKind<NewDeviceMail> = {
	name: 'new-device notice',
	detail: ({ token }, origin) => newDeviceLink(origin, token),
	write: (mail, { site, origin, messages }) => ({
		template,
		subject: texts.subject(site),
		reason: texts.reason(site),
		values: {
			intro: texts.intro(site),
			detail: texts.detail(messages.mail.moment(mail.at), sourceText(messages, mail.device)),
			known: `${texts.known} ${mail.hasKey ? texts.forgotten : texts.keyless}`,
			unknown: texts.unknown,
			notMe: texts.notMe,
			newDeviceUrl: newDeviceLink(origin, mail.token),
			fallback: texts.fallback,
			object: texts.object,
			preheader: texts.preheader
		}
	})
};
