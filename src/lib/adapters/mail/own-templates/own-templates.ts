import { closeNames } from '#lib/config/close-names.ts';
import type { TemplateFile } from '#lib/config/mail-templates.ts';
import * as list from '../emails/list.ts';
import type { Content } from '../emails/email-kind.ts';
import { renderSubject, type TemplateValues } from '../render-template.ts';
import type { OutgoingEmail } from '../rendered-email.ts';
import {
	checkNames,
	checkSecrets,
	checkSubject,
	problemAt,
	type Part,
	type Placeholders
} from './check-template.ts';

type Kind = OutgoingEmail['kind'];

/** Replaces our template, and our subject if the operator has another one. */
export type OwnTemplate = (
	ours: Content,
	values: TemplateValues
) => Pick<Content, 'template' | 'subject'>;

const SUBJECT = /^Subject:(.*)(?:\n\s*)?/;
const fileOf = (kind: Kind): string => kind.replaceAll('_', '-');
const kindsByFile = new Map((Object.keys(list) as Kind[]).map((kind) => [fileOf(kind), kind]));

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
		if (kind === undefined) {
			problems.push(unknownEmail(name, html === undefined ? 'txt' : 'html'));
		} else if (html === undefined || text === undefined) {
			const [there, missing] = text === undefined ? ['html', 'txt'] : ['txt', 'html'];
			const what = `${name}.${missing} is missing. An email needs an HTML part and a text part`;
			problems.push(problemAt(`${name}.${there}`, 1, what));
		} else {
			const { subject, body } = partsOf(name, html, text);
			problems.push(...check(subject, body, placeholdersOf(kind)));
			const template = { html, text: body[1].text };
			templates.set(kind, (ours, values) => ({
				template,
				subject: subject === null ? ours.subject : renderSubject(subject.text, values)
			}));
		}
	}
	if (problems.length > 0) throw new Error(problems.join('\n'));
	return templates;
};

const unknownEmail = (name: string, extension: string): string => {
	const known = [...kindsByFile.keys()];
	const close = closeNames(name, known);
	const hint =
		close.length > 0 ? `Did you mean ${close.join(', ')}?` : `There are ${known.join(', ')}`;
	return problemAt(`${name}.${extension}`, 1, `no email has this name. ${hint}`);
};

interface Parts {
	readonly subject: Part | null;
	readonly body: readonly [html: Part, text: Part];
}

const partsOf = (name: string, html: string, written: string): Parts => {
	const [head = '', line] = SUBJECT.exec(written) ?? [];
	const file = `${name}.txt`;
	return {
		subject: line === undefined ? null : { file, line: 1, text: line },
		body: [
			{ file: `${name}.html`, line: 1, text: html },
			{ file, line: head.split('\n').length, text: written.slice(head.length) }
		]
	};
};

const check = (
	subject: Part | null,
	body: readonly Part[],
	placeholders: Placeholders
): readonly string[] => {
	const { shared, own } = placeholders;
	const allowed = [...new Set([...Object.keys(own), ...shared])];
	return [
		...body.flatMap((part) => checkNames(part, [...allowed, 'title'])),
		...body.flatMap((part) => checkSecrets(part, placeholders)),
		...(subject === null ? [] : checkNames(subject, allowed)),
		...(subject === null ? [] : checkSubject(subject, placeholders))
	];
};
