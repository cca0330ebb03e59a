import type { ChangeLinkToken } from '#lib/domain/signed-links.ts';
import { verifyEmailPath } from '#lib/emailed-paths.ts';
import { signInLayouts } from '#lib/sign-in-layouts.ts';
import {
	ada,
	grace,
	lifetimeOf,
	requested,
	requestText,
	TOKEN,
	type MailDefinition,
	type MailOf
} from './mail-definition.ts';
import { advice, letter, link, paragraph } from './layout.ts';

type ChangeLinkMail = MailOf<'email_change_link'>;

/** The page that the link opens validates both values again. */
const linkOf = ({ token, callbackUrl }: ChangeLinkMail, origin: string): string => {
	const query = new URLSearchParams({ token });
	// Encoded, because the recipient did not request this email and it must not show text that the
	// requester chose.
	if (callbackUrl !== null) query.set('next', Buffer.from(callbackUrl).toString('base64url'));
	return origin + verifyEmailPath(query);
};

const withLink = (url: '{{verificationUrl}}' | '{{confirmationUrl}}') =>
	letter(
		paragraph('{{intro}}'),
		link(url, '{{confirm}}'),
		paragraph('{{lives}}'),
		advice('{{requested}} {{ignore}}')
	);
const templates = {
	verificationUrl: withLink('{{verificationUrl}}'),
	confirmationUrl: withLink('{{confirmationUrl}}')
};

/** Sent to the new email address, with the link that confirms it. */
export const changeLink: MailDefinition<ChangeLinkMail> = {
	name: 'email-change link',
	detail: linkOf,
	write: (mail, { site, origin, signInLayout, messages }) => {
		const url = linkOf(mail, origin);
		const ignore = 'If that account isn’t yours, ignore this email.';
		return {
			template: templates[signInLayouts[signInLayout].emailLink],
			subject: `Confirm your new email address for ${site}`,
			values: {
				intro: `Confirm in a browser where you’re signed in to ${site} as ${mail.account}.`,
				confirm: 'Check and confirm',
				verificationUrl: url,
				confirmationUrl: url,
				lives: messages.mail.codes.lives(lifetimeOf(messages, mail)),
				requested: requestText(messages, mail),
				ignore,
				preheader: ignore
			}
		};
	},
	examples: [
		{
			to: grace,
			account: ada,
			token: TOKEN as ChangeLinkToken,
			callbackUrl: '/app?a=1&b=2',
			lifetime: 3600,
			...requested
		}
	]
};
