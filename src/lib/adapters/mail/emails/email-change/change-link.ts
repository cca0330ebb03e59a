import type { EmailChangeMail } from '#lib/domain/email-change/request-email-change.ts';
import type { LinkToken } from '#lib/domain/secret.ts';
import { changeLink } from '../../email-change/change-link.ts';
import { emailConfirmation, emailVerification } from '../../templates/email-verification.ts';
import { example, lifetimeText, requestText, type EmailKind } from '../email-kind.ts';

const texts = {
	subject: (site: string): string => `Confirm your new address for ${site}`,
	heading: 'Confirm your new address',
	intro: (account: string, site: string): string =>
		`The account ${account} at ${site} asks to use this address from now on. Confirm only if that account is yours.`,
	confirm: 'Confirm this address',
	lives: (time: string): string =>
		`The link works once, within ${time}. Opening it changes nothing: the page shows both addresses and asks you to confirm, in a browser where you are signed in. The link stops working when the device that requested it is signed out.`,
	fallback: 'If the button does not work, open this address:',
	ignore: (site: string): string =>
		`If that account is not yours, ignore this mail and nothing will change. Nobody from ${site} will ever ask you for this link, so keep it to yourself.`,
	preheader: (time: string): string =>
		`The link works once, within ${time}. If that account is not yours, ignore this mail.`
};

type Mail = EmailChangeMail & { readonly kind: 'email_change_link' };

/** Sent to the new email address, with the link that confirms it. */
export const emailChangeLink: EmailKind<Mail> = {
	name: 'email-change link',
	detail: ({ token, callbackUrl }, origin) => changeLink(origin, token, callbackUrl),
	write: (mail, { site, origin, signInLayout, messages }) => {
		const lifetime = lifetimeText(messages, mail.lifetime);
		const url = changeLink(origin, mail.token, mail.callbackUrl);
		return {
			template: signInLayout === 'single' ? emailConfirmation : emailVerification,
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
	},
	examples: {
		'Link for a change of address': {
			kind: 'email_change_link',
			to: example.grace,
			account: example.ada,
			token: 'lQz0nX3hV-8sKq_2dFwYtR7bGmJcP5uE9iAoN1vHx4M' as LinkToken,
			callbackUrl: '/app',
			lifetime: 3600,
			...example.request
		}
	}
};
