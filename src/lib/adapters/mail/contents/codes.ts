import type { Code, Mail } from '#lib/domain/index.ts';
import type { Messages } from '#lib/messages/messages.ts';
import { code } from '../templates/code.ts';
import { lifetimeText, type Content, type Wording, requestText } from './content.ts';

type CodeMail = Extract<Mail, { readonly code: Code }>;

/** An email with a code, for any purpose. */
export const codeContent = (mail: CodeMail, { site, messages }: Wording): Content => {
	const { codes } = messages.mail;
	const { subject, heading, intro, ignore } = purposeOf(mail, site, codes);
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

interface PurposeWords {
	readonly subject: string;
	readonly heading: string;
	readonly intro: string;
	readonly ignore: string;
}

const purposeOf = (
	mail: CodeMail,
	site: string,
	{ signIn, verification, change, reauthentication }: Messages['mail']['codes']
): PurposeWords => {
	switch (mail.kind) {
		case 'sign_in_code':
			return { ...signIn, subject: signIn.subject(site), intro: signIn.intro(site) };
		case 'email_verification_code':
			return {
				...verification,
				subject: verification.subject(site),
				intro: verification.intro(site)
			};
		case 'email_change_code':
			return { ...change, subject: change.subject(site), intro: change.intro(mail.account, site) };
		case 'reauthentication_code':
			return {
				...reauthentication,
				subject: reauthentication.subject(site),
				intro: reauthentication.intro(mail.newEmail, site),
				ignore: reauthentication.ignore(site)
			};
	}
};
