import type { Code } from '#lib/domain/secret.ts';
import {
	ada,
	grace,
	lifetimeOf,
	requested,
	requestText,
	type EmailKind,
	type MailOf
} from './email-kind.ts';
import { advice, code, letter, paragraph } from './layout.ts';

type CodeMail = MailOf<
	'sign_in_code' | 'email_verification_code' | 'email_change_code' | 'reauthentication_code'
>;

interface CodeTexts {
	readonly subject: string;
	readonly reason: string;
	/** What to do with the code, which follows. */
	readonly intro: string;
	/** What to do if the code was not expected. The list of an inbox shows it too. */
	readonly unexpected: string;
	/** More about that. */
	readonly then: string;
}

const template = letter(
	paragraph('{{intro}}'),
	code('{{otp}}'),
	paragraph('{{lives}}'),
	advice('{{requested}} {{ignore}}')
);

const codeEmail = <M extends CodeMail>(
	name: string,
	example: EmailKind<M>['examples'][0],
	textsOf: (mail: M, site: string) => CodeTexts
): EmailKind<M> => ({
	name,
	detail: (mail) => mail.code,
	write: (mail, { site, messages }) => {
		const { subject, reason, intro, unexpected, then } = textsOf(mail, site);
		const { codes } = messages.mail;
		const { time, until } = lifetimeOf(messages, mail);
		return {
			template,
			subject,
			reason,
			values: {
				intro,
				otp: mail.code,
				lives: codes.lives(time, until),
				requested: requestText(messages, mail),
				ignore: `${unexpected} ${then} ${codes.never(site)}`,
				preheader: `${codes.expires(until)} ${unexpected}`
			}
		};
	},
	examples: [example]
});

const lifetime = 600;

export const signInCode = codeEmail<MailOf<'sign_in_code'>>(
	'sign-in code',
	{ to: ada, code: '012345' as Code, lifetime, ...requested },
	(_, site) => ({
		subject: `Sign in to ${site}`,
		reason: `You get this email because someone requested a code to sign in to ${site} with your email address.`,
		intro: 'Enter this code in the browser or app where you requested it:',
		unexpected: 'If you didn’t request it, ignore this email.',
		then: 'Nobody can sign in without the code.'
	})
);

export const emailVerificationCode = codeEmail<MailOf<'email_verification_code'>>(
	'email-verification code',
	{ to: ada, code: '012346' as Code, lifetime, ...requested },
	(_, site) => ({
		subject: `Confirm your email address for ${site}`,
		reason: `You get this email because someone requested to confirm your email address for ${site}.`,
		intro: 'Enter this code to confirm that this email address is yours:',
		unexpected: 'If you didn’t request it, ignore this email.',
		then: 'Without the code nothing will change, and nobody gets your data.'
	})
);

/** Sent to the new email address. */
export const emailChangeCode = codeEmail<MailOf<'email_change_code'>>(
	'email-change code',
	{ to: grace, account: ada, code: '012347' as Code, lifetime, ...requested },
	({ account }, site) => ({
		subject: `Confirm your new email address for ${site}`,
		reason: `You get this email because someone requested to use your email address for an account at ${site}.`,
		intro: `${account} wants to move its account at ${site} to this email address. If that account is yours, enter this code where you requested it:`,
		unexpected: 'If that account isn’t yours, ignore this email.',
		then: 'Nothing will change.'
	})
);

/** Sent to the current email address, before a change. */
export const reauthenticationCode = codeEmail<MailOf<'reauthentication_code'>>(
	'reauthentication code',
	{ to: ada, newEmail: grace, code: '012348' as Code, lifetime, ...requested },
	({ newEmail }, site) => ({
		subject: `Change your email address at ${site}`,
		reason: `You get this email because someone requested to change the email address of your account at ${site}.`,
		intro: `To change your email address to ${newEmail}, enter this code where you requested it:`,
		unexpected: 'If you didn’t request it, someone else is signed in to your account.',
		then: 'Don’t enter the code. Sign out all other devices.'
	})
);
