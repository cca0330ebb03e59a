import { OperatorError } from '#lib/operator-messages.ts';
import type { TemplateFile } from '#lib/config/mail.ts';
import type { OutgoingMail } from './emails/mail-definition.ts';
import { mailDefinitions, examplesOf } from './emails/list.ts';
import { PLACEHOLDER, type TemplateValues } from './render-template.ts';

type Kind = OutgoingMail['kind'];

/** What the operator wrote for one email. */
interface OwnTemplate {
	/** Null keeps our subject. */
	readonly subject: string | null;
	readonly html: string;
	readonly text: string;
}

/** The placeholders of an email, with values of an example. */
interface Placeholders {
	readonly shared: readonly string[];
	readonly own: TemplateValues;
}

interface Part {
	readonly file: string;
	readonly line: number;
	readonly text: string;
}

const SUBJECT = /^Subject:(.*)(?:\n\s*)?/;
const kindsByFile = new Map(
	(Object.keys(mailDefinitions) as Kind[]).map((kind) => [kind.replaceAll('_', '-'), kind])
);

/**
 * Checks the operator's templates, all of them together. Each email has two files: `welcome.html` and
 * `welcome.txt`. The text may begin with a line `Subject: …`.
 *
 * @throws Error with one line for each problem
 */
export const ownTemplates = (
	files: readonly TemplateFile[],
	placeholdersOf: (kind: Kind) => Placeholders
): ReadonlyMap<Kind, OwnTemplate> => {
	const texts = new Map(files.map(({ name, text }) => [name, text]));
	const names = new Set(files.map(({ name }) => name.replace(/\.(?:html|txt)$/, '')));
	const problems: string[] = [];
	const templates = new Map<Kind, OwnTemplate>();
	for (const name of names) {
		const kind = kindsByFile.get(name);
		const html = texts.get(`${name}.html`);
		const text = texts.get(`${name}.txt`);
		const [there, missing] = html === undefined ? ['txt', 'html'] : ['html', 'txt'];
		const whole = { file: `${name}.${there}`, line: 1, text: '' };
		if (kind === undefined) {
			const known = [...kindsByFile.keys()].join(', ');
			problems.push(problemAt(whole, `no email has this name. There are ${known}`));
		} else if (html === undefined || text === undefined) {
			const what = `${name}.${missing} is missing. An email needs an HTML part and a text part`;
			problems.push(problemAt(whole, what));
		} else {
			const [head = '', subject = null] = SUBJECT.exec(text) ?? [];
			const body = text.slice(head.length);
			const textPart = { file: `${name}.txt`, line: head.split('\n').length, text: body };
			const subjectPart = subject === null ? null : { ...textPart, line: 1, text: subject };
			problems.push(
				...problemsOf(subjectPart, [{ ...whole, text: html }, textPart], placeholdersOf(kind), kind)
			);
			templates.set(kind, { subject, html, text: body });
		}
	}
	if (problems.length > 0) throw new OperatorError(problems.join('\n'));
	return templates;
};

const problemsOf = (
	subject: Part | null,
	body: readonly Part[],
	{ shared, own }: Placeholders,
	kind: Kind
): readonly string[] => {
	const names = [...new Set([...Object.keys(own), ...shared])];
	const secrets = secretsOf(kind, own);
	return [
		...body.flatMap((part) => wrongNames(part, [...names, 'title'])),
		...body.flatMap((part) => missingSecrets(part, secrets)),
		...(subject === null ? [] : [...wrongNames(subject, names), ...wrongSubject(subject, secrets)])
	];
};

const problemAt = ({ file, line, text }: Part, what: string, index = 0): string =>
	`EMAIL_TEMPLATES: ${file}, line ${line + text.slice(0, index).split('\n').length - 1}: ${what}`;

/** Placeholders that have no value, and malformed placeholders. */
const wrongNames = (part: Part, allowed: readonly string[]): readonly string[] => {
	const unknown = [...part.text.matchAll(PLACEHOLDER)]
		.filter(([, name = '']) => !allowed.includes(name.trim()))
		.map(({ index, 0: written }) => {
			const known = allowed.map(braced).join(', ');
			return problemAt(part, `this email has no placeholder ${written}. It has ${known}`, index);
		});
	// Braces around a placeholder would be sent, and a placeholder without an end would be, too.
	const open = /\{\{\{|\{\{(?![^{}]*\}\})/.exec(part.text);
	return open === null
		? unknown
		: [...unknown, problemAt(part, 'write a placeholder as {{name}}', open.index)];
};

/** What grants access, and the placeholders that contain it. Without it, the email is worthless. */
type Secret = readonly [what: 'code' | 'link', names: readonly string[]];

const secretsOf = (kind: Kind, own: TemplateValues): readonly Secret[] => {
	const [{ code, token, undoToken }] = examplesOf(kind);
	const namesWith = (secret?: string | null): readonly string[] =>
		Object.keys(own).filter((name) => secret && own[name]?.includes(secret));
	const secrets: readonly Secret[] = [
		['code', namesWith(code)],
		['link', namesWith(token ?? undoToken)]
	];
	return secrets.filter(([, names]) => names.length > 0);
};

const missingSecrets = (part: Part, secrets: readonly Secret[]): readonly string[] => {
	const used = namesIn(part.text.replace(/<!--[\s\S]*?-->/g, ''));
	return secrets
		.filter(([, names]) => !names.some((name) => used.has(name)))
		.map(([what, names]) =>
			problemAt(part, `the ${what} is missing. Write ${names.map(braced).join(' or ')}`)
		);
};

/** `EMAIL_CODE_IN_SUBJECT` decides whether subjects contain codes. */
const wrongSubject = (subject: Part, secrets: readonly Secret[]): readonly string[] => {
	if (subject.text.trim() === '') return [problemAt(subject, 'the subject is empty')];
	const used = namesIn(subject.text);
	const shown = secrets.flatMap(([what, names]) =>
		names.filter((name) => used.has(name)).map((name) => `${what} ${braced(name)}`)
	);
	return shown.map((secret) =>
		problemAt(subject, `the ${secret} must not be in a subject, which locked screens and logs show`)
	);
};

const namesIn = (text: string): ReadonlySet<string> =>
	new Set([...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name.trim()));

const braced = (name: string): string => `{{${name}}}`;
