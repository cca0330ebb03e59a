import type { EmailChangeMail } from '#lib/domain/mail.ts';
import { signInLayouts } from '#lib/sign-in-layouts.ts';
import { changeLink } from '../../email-change/change-link.ts';
import { emailConfirmation, emailVerification } from '../../templates/email-verification.ts';
import { lifetimeOf, requestText, type EmailKind } from '../email-kind.ts';

const texts = {
	subject: (site: string): string => `Confirm your new email address for ${site}`,
	reason: (site: string): string =>
		`You get this email because someone requested to use your email address for an account at ${site}.`,
	intro: (account: string, site: string): string =>
		`${account} wants to change the email address of its account at ${site} to this one. If that account is yours, open this link in a browser where you’re signed in:`,
	confirm: 'Confirm this email address',
	lives: (time: string, until: string): string =>
		`Nothing changes until you confirm on the page. The link works once. It expires after ${time}, at ${until}, or when the device that requested it is signed out.`,
	fallback: 'If the button doesn’t work, open this link:',
	unexpected: 'If that account isn’t yours, ignore this email.',
	then: (site: string): string =>
		`Nothing will change. ${site} will never ask you for this link, so don’t share it.`,
	preheader: (until: string): string => `The link expires at ${until}.`
};

const templates = { verificationUrl: emailVerification, confirmationUrl: emailConfirmation };

type Mail = EmailChangeMail & { readonly kind: 'email_change_link' };

/** Sent to the new email address, with the link that confirms it. */
export const emailChangeLink: EmailKind<Mail> = {
	name: 'email-change link',
	detail: ({ token, callbackUrl }, origin) => changeLink(origin, token, callbackUrl),
	write: (mail, { site, origin, signInLayout, messages }) => {
		const { time, until } = lifetimeOf(messages, mail);
		const url = changeLink(origin, mail.token, mail.callbackUrl);
		return {
			template: templates[signInLayouts[signInLayout].emailLink],
			subject: texts.subject(site),
			reason: texts.reason(site),
			values: {
				intro: texts.intro(mail.account, site),
				confirm: texts.confirm,
				verificationUrl: url,
				confirmationUrl: url,
				lives: texts.lives(time, until),
				fallback: texts.fallback,
				requested: requestText(messages, mail),
				ignore: `${texts.unexpected} ${texts.then(site)}`,
				preheader: `${texts.preheader(until)} ${texts.unexpected}`
			}
		};
	}
};
