import type { AnyMail, Code, RequestDetails } from '#lib/domain/index.ts';
import { code } from '../templates/code.ts';
import { lifetimeText, requestText, type Content, type Wording } from './email-kind.ts';

interface CodeMail extends AnyMail, RequestDetails {
	readonly code: Code;
	readonly lifetime: number;
}

interface CodeTexts {
	readonly subject: string;
	readonly heading: string;
	readonly intro: string;
	readonly ignore: string;
}

/** The content of an email with a code, for any purpose. */
export const codeContent = (
	mail: CodeMail,
	{ subject, heading, intro, ignore }: CodeTexts,
	{ site, messages }: Wording
): Content => {
	const { codes } = messages.mail;
	const lifetime = lifetimeText(messages, mail.lifetime);
	return {
		template: code,
		subject,
		values: {
			heading,
			intro,
			otp: mail.code,
			lives: codes.lives(lifetime),
			requested: requestText(messages, mail),
			ignore: `${ignore} ${codes.never(site)}`,
			preheader: codes.preheader(lifetime)
		}
	};
};
