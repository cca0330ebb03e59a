import type { EmailChangeMail } from '#lib/domain/email-change/email-change-mail.ts';
import type { LinkToken } from '#lib/domain/secret.ts';
import { signInLayouts } from '#lib/sign-in-layouts.ts';
import { changeLink } from '../../email-change/change-link.ts';
import { emailConfirmation, emailVerification } from '../../templates/email-verification.ts';
import { lifetimeText, requestText, type EmailKind } from '../email-kind.ts';
import { example, type Examples } from '../examples.ts';

const texts = {
	subject: (site: string): string => `Confirm your new email address for ${site}`,
	heading: 'Confirm your new email address',
	intro: (account: string, site: string): string =>
		`${account} wants to change the email address of its account at ${site} to this one. Confirm only if that account is yours.`,
	confirm: 'Confirm this email address',
	lives: (time: string): string =>
		`The link works once, within ${time}. Open it in a browser where you’re signed in. Nothing changes until you confirm on the page. The link stops working when the device that requested it is signed out.`,
	fallback: 'If the button doesn’t work, open this address:',
	ignore: (site: string): string =>
		`If that account isn’t yours, ignore this email and nothing will change. ${site} will never ask you for this link, so don’t share it.`,
	preheader: (time: string): string =>
		`The link works once, within ${time}. If that account isn’t yours, ignore this email.`
};

const templates = { verificationUrl: emailVerification, confirmationUrl: emailConfirmation };

type Mail = EmailChangeMail & { readonly kind: 'email_change_link' };

/** Sent to the new email address, with the link that confirms it. */
export const emailChangeLink: EmailKind<Mail> = {
	name: 'email-change link',
	detail: ({ token, callbackUrl }, origin) => changeLink(origin, token, callbackUrl),
	write: (mail, { site, origin, signInLayout, messages }) => {
		const lifetime = lifetimeText(messages, mail.lifetime);
		const url = changeLink(origin, mail.token, mail.callbackUrl);
		return {
			template: templates[signInLayouts[signInLayout].emailLink],
			subject: texts.subject(site),
			values: {
				heading: texts.heading,
				intro: texts.intro(mail.account, site),
				confirm: texts.confirm,
				verificationUrl: url,
				confirmationUrl: url,
				lives: texts.lives(lifetime),
				fallback: texts.fallback,
				requested: requestText(messages, mail),
				ignore: texts.ignore(site),
				preheader: texts.preheader(lifetime)
			}
		};
	}
};

export const examples: Examples<Mail> = {
	'Link for a change of address': {
		kind: 'email_change_link',
		to: example.grace,
		account: example.ada,
		token: 'lQz0nX3hV-8sKq_2dFwYtR7bGmJcP5uE9iAoN1vHx4M' as LinkToken,
		callbackUrl: '/app',
		lifetime: 3600,
		...example.request
	}
};
