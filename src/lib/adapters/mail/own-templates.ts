import { OperatorError } from '#lib/operator-messages.ts';
import type { TemplateFile } from '#lib/config/mail.ts';
import type { OutgoingMail } from './emails/mail-definition.ts';
import { mailDefinitions, examplesOf } from './emails/list.ts';
import type { MailTemplate } from './render-template.ts';

type Kind = OutgoingMail['kind'];

interface OwnTemplate extends MailTemplate {
	/** Null keeps our subject. */
	readonly subject: string | null;
}

/** Renders one email. The title is its subject without a code. */
type RenderParts = (
	mail: OutgoingMail,
	template: OwnTemplate | undefined
) => MailTemplate & { readonly title: string };

const SUBJECT = /^Subject:(.*)(?:\n\s*)?/;
/** Braces around a placeholder, or a placeholder without an end. The email would show both. */
const MALFORMED = /\{\{\{|\{\{(?![^{}]*\}\})/;
const kindsByFile = new Map(
	(Object.keys(mailDefinitions) as Kind[]).map((kind) => [kind.replaceAll('_', '-'), kind])
);

/**
 * Checks the operator's templates: renders each with the examples of its email. Each email has two
 * files: `welcome.html` and `welcome.txt`. The text may begin with a line `Subject: …`.
 *
 * @throws OperatorError for the first mistake
 */
export const ownTemplates = (
	files: readonly TemplateFile[],
	render: RenderParts
): ReadonlyMap<Kind, OwnTemplate> => {
	const texts = new Map(files.map(({ name, text }) => [name, text]));
	const templates = new Map<Kind, OwnTemplate>();
	for (const { name, text: written } of files) {
		const email = name.replace(/\.(?:html|txt)$/, '');
		const kind = kindsByFile.get(email);
		const html = texts.get(`${email}.html`);
		const text = texts.get(`${email}.txt`);
		try {
			if (kind === undefined)
				throw new Error(`no email has this name. There are ${[...kindsByFile.keys()].join(', ')}`);
			if (html === undefined || text === undefined)
				throw new Error('an email needs an HTML part and a text part. The other one is missing');
			if (MALFORMED.test(written)) throw new Error('write a placeholder as {{name}}');
			const [head = '', subject = null] = SUBJECT.exec(text) ?? [];
			const template = { subject, html, text: text.slice(head.length) };
			const part = name.endsWith('.html')
				? { ...template, subject: null, text: '' }
				: { ...template, html: '' };
			for (const mail of examplesOf(kind)) check(mail, part, render);
			templates.set(kind, template);
		} catch (error) {
			throw new OperatorError(`EMAIL_TEMPLATES: ${name}: ${(error as Error).message}`);
		}
	}
	return templates;
};

/**
 * Throws if the email lacks its code or link, or if the subject shows it: locked screens and logs show
 * subjects.
 */
const check = (mail: OutgoingMail, part: OwnTemplate, render: RenderParts): void => {
	const { title, html, text } = render(mail, part);
	if (title.trim() === '') throw new Error('the subject is empty');
	const secret = mail.code ?? mail.token ?? mail.undoToken;
	if (!secret) return;
	if (title.includes(secret)) throw new Error('the subject must not contain the code or link');
	if (!(html + text).replace(/<!--[\s\S]*?-->/g, '').includes(secret))
		throw new Error('its code or link is missing. docs/email.md names the placeholder');
};
