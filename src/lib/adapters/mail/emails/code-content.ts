import type { AnyMail, RequestDetails } from '#lib/domain/mail.ts';
import type { Code } from '#lib/domain/secret.ts';
import { code } from '../templates/code.ts';
import { lifetimeOf, requestText, type Content, type Wording } from './email-kind.ts';

interface CodeMail extends AnyMail, RequestDetails {
	readonly code: Code;
	readonly lifetime: number;
}

interface CodeTexts {
	readonly subject: string;
	/** What to do with the code, which follows. */
	readonly intro: string;
	/** What to do if the code was not expected. The list of an inbox shows it too. */
	readonly unexpected: string;
	/** More about that. */
	readonly then: string;
	readonly reason: string;
}

/** The content of an email with a code, for any purpose. */
export const codeContent = (
	mail: CodeMail,
	{ subject, reason, intro, unexpected, then }: CodeTexts,
	{ site, messages }: Wording
): Content => {
	const { codes } = messages.mail;
	const { time, until } = lifetimeOf(messages, mail);
	return {
		template: code,
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
};
