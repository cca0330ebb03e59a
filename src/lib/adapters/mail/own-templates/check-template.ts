import { closeNames } from '#lib/config/close-names.ts';
import type { TemplateValues } from '../render-template.ts';
import { SECRETS } from './sample-mail.ts';

/** One part of a template, with the place where it begins. */
export interface Part {
	readonly file: string;
	readonly line: number;
	readonly text: string;
}

/** What the placeholders of an email are, with values of a sample. */
export interface Placeholders {
	/** Those of every email. */
	readonly shared: readonly string[];
	readonly own: TemplateValues;
}

/** What is wrong with a template, and where. */
export const problemAt = (file: string, line: number, what: string): string =>
	`EMAIL_TEMPLATES: ${file}, line ${line}: ${what}`;

const MARK = /\{\{([^{}]*)\}\}/g;

/** Finds placeholders that have no value, and malformed placeholders. */
export const checkNames = (part: Part, allowed: readonly string[]): readonly string[] => {
	const problem = (index: number, what: string): string =>
		problemAt(part.file, part.line + part.text.slice(0, index).split('\n').length - 1, what);
	const unknown = [...part.text.matchAll(MARK)].flatMap(({ index, 0: mark, 1: name = '' }) => {
		if (allowed.includes(name.trim())) return [];
		const close = closeNames(name, allowed);
		const known = close.length > 0 ? `Did you mean ${listed(close)}` : `It has ${listed(allowed)}`;
		return [problem(index, `this email has no placeholder ${mark}. ${known}`)];
	});
	// Braces around a placeholder would be sent, and a placeholder without an end would be, too.
	const open = /\{\{\{|\{\{(?![^{}]*\}\})/.exec(part.text);
	return open === null
		? unknown
		: [...unknown, problem(open.index, 'write a placeholder as {{name}}')];
};

/** Finds the names of values that grant access, for each kind of them that the email has. */
const secretsOf = ({ own }: Placeholders): readonly (readonly [string, readonly string[]])[] =>
	SECRETS.map(([what, value]) => {
		const names = Object.keys(own).filter((name) => own[name]?.includes(value));
		return [what, names] as const;
	}).filter(([, names]) => names.length > 0);

/** Finds out whether the code or the link of the email is missing in a part that must have it. */
export const checkSecrets = (part: Part, placeholders: Placeholders): readonly string[] => {
	const used = namesIn(part.text.replace(/<!--[\s\S]*?-->/g, ''));
	return secretsOf(placeholders)
		.filter(([, names]) => !names.some((name) => used.has(name)))
		.map(([what, names]) =>
			problemAt(part.file, part.line, `the ${what} is missing. Write ${listed(names, ' or ')}`)
		);
};

/** Finds what grants access in a subject. `EMAIL_CODE_IN_SUBJECT` decides that for codes. */
export const checkSubject = (part: Part, placeholders: Placeholders): readonly string[] => {
	if (part.text.trim() === '') return [problemAt(part.file, part.line, 'the subject is empty')];
	const used = namesIn(part.text);
	return secretsOf(placeholders).flatMap(([what, names]) =>
		names
			.filter((name) => used.has(name))
			.map((name) =>
				problemAt(
					part.file,
					part.line,
					`the ${what} {{${name}}} must not be in a subject, which locked screens and logs show`
				)
			)
	);
};

const namesIn = (text: string): ReadonlySet<string> =>
	new Set([...text.matchAll(MARK)].map(([, name = '']) => name.trim()));

const listed = (names: readonly string[], between = ', '): string =>
	names.map((name) => `{{${name}}}`).join(between);
