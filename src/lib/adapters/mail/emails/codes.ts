import type { Code } from '#lib/domain/secret.ts';
import {
	ada,
	grace,
	lifetimeOf,
	requested,
	requestText,
	type MailDefinition,
	type MailOf
} from './mail-definition.ts';
import { advice, code, letter, linked, paragraph, stressed } from './layout.ts';

type CodeMail = MailOf<
	'sign_in_code' | 'email_verification_code' | 'email_change_code' | 'reauthentication_code'
>;

interface CodeTexts {
	readonly subject: string;
	/** What to do with the code, which follows. */
	readonly intro: string;
	/** What to do if the code was not expected. The list of an inbox shows it too. */
	readonly unexpected: string;
	readonly then: string;
	/** The end of `then`, as a link. */
	readonly place?: string;
}

const start = [paragraph('{{intro}}'), code('{{otp}}'), stressed('{{never}}', '{{lives}} ')];
const template = letter(...start, advice('{{requested}} {{ignore}}'));
/** Says in its text, not in small print, what to do about an attack. */
const warning = letter(
	...start,
	linked('{{unexpected}} {{then}}', '{{settings_url}}', '{{place}}'),
	advice('{{requested}}')
);

const codeKind = <M extends CodeMail>(
	name: string,
	example: MailDefinition<M>['examples'][0],
	textsOf: (mail: M, site: string) => CodeTexts,
	layout = template
): MailDefinition<M> => ({
	name,
	detail: (mail) => mail.code,
	write: (mail, { site, messages }) => {
		const { subject, intro, unexpected, then, place = '' } = textsOf(mail, site);
		const { lives, never } = messages.mail.codes;
		return {
			template: layout,
			subject,
			values: {
				intro,
				otp: mail.code,
				lives: lives(lifetimeOf(messages, mail)),
				requested: requestText(messages, mail),
				unexpected,
				then,
				place,
				never,
				ignore: `${unexpected} ${then}${place && ` ${place}.`}`,
				preheader: unexpected
			}
		};
	},
	examples: [example]
});

const lifetime = 600;

export const signInCode = codeKind<MailOf<'sign_in_code'>>(
	'sign-in code',
	{ to: ada, code: '012345' as Code, lifetime, ...requested },
	(_, site) => ({
		subject: `Your sign-in code for ${site}`,
		intro: 'Enter this code in the browser or app where you requested it:',
		unexpected: 'If you didn’t request it, ignore this email.',
		then: 'Nobody can sign in without the code.'
	})
);

export const emailVerificationCode = codeKind<MailOf<'email_verification_code'>>(
	'email-verification code',
	{ to: ada, code: '012346' as Code, lifetime, ...requested },
	(_, site) => ({
		subject: `Confirm your email address for ${site}`,
		intro: 'Enter this code where you requested it:',
		unexpected: 'If you didn’t request it, ignore this email.',
		then: 'Nothing changes without the code.'
	})
);

/** Sent to the new email address. */
export const emailChangeCode = codeKind<MailOf<'email_change_code'>>(
	'email-change code',
	{ to: grace, account: ada, code: '012347' as Code, lifetime, ...requested },
	({ account }, site) => ({
		subject: `Confirm your new email address for ${site}`,
		intro: `To use this email address for the ${site} account ${account}, enter this code where you requested it:`,
		unexpected: 'If that account isn’t yours, ignore this email.',
		then: 'Nothing will change.'
	})
);

/** Sent to the current email address, before a change. */
export const reauthenticationCode = codeKind<MailOf<'reauthentication_code'>>(
	'reauthentication code',
	{ to: ada, newEmail: grace, code: '012348' as Code, lifetime, ...requested },
	({ newEmail }, site) => ({
		subject: `Code to change your email address for ${site}`,
		intro: `To change your email address to ${newEmail}, enter this code where you requested it:`,
		unexpected: 'Didn’t request this? Someone else may be signed in to your account.',
		then: 'Sign out all other devices in',
		place: 'your settings'
	}),
	warning
);
