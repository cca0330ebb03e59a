import { maskEmail } from '#lib/domain/index.ts';
import { messages, type Messages } from '#lib/messages/messages.ts';
import type { Letter, RenderLetter } from './letter.ts';
import {
	oneLine,
	renderHtml,
	renderText,
	type MailTemplate,
	type TemplateValues
} from './render-template.ts';
import { emailVerification } from './templates/email-verification.ts';
import { notice } from './templates/notice.ts';
import { signInCode } from './templates/sign-in-code.ts';
import { welcome } from './templates/welcome.ts';

/** What every mail says about its sender. */
export interface MailSite {
	readonly name: string;
	readonly origin: string;
	readonly supportEmail: string | null;
}

interface Content {
	readonly template: MailTemplate;
	readonly subject: string;
	readonly values: TemplateValues;
}

/**
 * Puts a letter into words and frame. Nothing a person typed in goes in but addresses, so that
 * nobody can have text of their own mailed to strangers under the site's name.
 */
export const letterRenderer = (
	site: MailSite,
	{ language, direction, mail }: Messages = messages
): RenderLetter => {
	const url = new URL(site.origin);
	const shared = {
		language,
		direction,
		site_name: site.name,
		site_url: site.origin,
		site_host: url.host,
		app_url: `${site.origin}/app`,
		logo_url: `${site.origin}/mail-logo.png`,
		support_email: site.supportEmail ?? '',
		help: site.supportEmail === null ? '' : mail.help(site.supportEmail),
		object: site.supportEmail === null ? mail.object(site.name) : mail.objectTo(site.supportEmail)
	};
	return (letter) => {
		const { template, subject, values } = contentOf(letter, site.name, mail);
		const all = { ...shared, ...values, subject };
		return {
			subject: oneLine(subject),
			html: renderHtml(template.html, all),
			text: renderText(template.text, all)
		};
	};
};

const contentOf = (letter: Letter, site: string, texts: Messages['mail']): Content => {
	const time = (seconds: number): string => texts.time(Math.max(1, Math.floor(seconds / 60)));
	switch (letter.kind) {
		case 'sign_in_code': {
			const { subject, heading, intro, lives, ignore, preheader } = texts.code;
			const lifetime = time(letter.lifetime);
			return {
				template: signInCode,
				subject: subject(site),
				values: {
					heading,
					intro: intro(site),
					otp: letter.code,
					lives: lives(lifetime),
					ignore: ignore(site),
					preheader: preheader(lifetime)
				}
			};
		}
		case 'welcome': {
			const { subject, heading, intro, how, open, preheader } = texts.welcome;
			return {
				template: welcome,
				subject: subject(site),
				values: { heading: heading(site), intro: intro(letter.to), how, open, preheader }
			};
		}
		case 'email_verification': {
			const { subject, heading, signUp, change, confirm, lives, ...rest } = texts.verification;
			const lifetime = time(letter.lifetime);
			return {
				template: emailVerification,
				subject: subject(site),
				values: {
					heading,
					intro: letter.account === null ? signUp(site) : change(letter.account, site),
					confirm,
					verificationUrl: letter.url,
					confirmationUrl: letter.url,
					lives: lives(lifetime),
					fallback: rest.fallback,
					ignore: rest.ignore,
					preheader: rest.preheader(lifetime)
				}
			};
		}
		case 'address_changed': {
			const { subject, heading, intro, detail } = texts.addressChanged[letter.stage];
			return {
				template: notice,
				subject: subject(site),
				values: {
					heading,
					intro: intro(maskEmail(letter.newEmail), site),
					detail: detail(texts.moment(letter.at)),
					preheader: texts.addressChanged.preheader
				}
			};
		}
		case 'mail_check': {
			const { subject, heading, intro, detail, ignore, preheader } = texts.check;
			return {
				template: notice,
				subject: subject(site),
				values: { heading, intro: intro(site), detail, object: ignore, preheader }
			};
		}
	}
};
