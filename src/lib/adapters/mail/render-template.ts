import { escapeHtml } from '#lib/escape-html.ts';

export type TemplateValues = Readonly<Record<string, string>>;

export interface MailTemplate {
	readonly html: string;
	readonly text: string;
}

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;
/** Includes line and paragraph separators, because a value must not start a new line. */
const CONTROL = /[\p{Cc}\u2028\u2029]+/gu;
/** Marks that would change the reading direction of the text after the value. */
const DIRECTION = /\p{Bidi_Control}/gu;

/** Reduces text to one visible line, for subjects and names in headers as well. */
export const oneLine = (text: string): string =>
	text.replace(CONTROL, ' ').replace(DIRECTION, '').trim();

/**
 * Replaces placeholders in a single pass, so a value that looks like a placeholder stays text.
 * Throws if a name has no value, since that is a mistake in the template.
 */
const fill = (template: string, values: TemplateValues, escape: (text: string) => string): string =>
	template.replace(PLACEHOLDER, (_, written: string) => {
		const name = written.trim();
		if (!Object.hasOwn(values, name)) {
			const known = Object.keys(values).map((one) => `{{${one}}}`);
			throw new Error(`this email has no placeholder {{${name}}}. It has ${known.join(', ')}`);
		}
		return escape(oneLine(values[name] ?? ''));
	});

export const renderHtml = (template: string, values: TemplateValues): string =>
	fill(template, values, escapeHtml);

/** For subjects. The caller reduces them to one line, whatever they are made of. */
export const renderSubject = (template: string, values: TemplateValues): string =>
	fill(template, values, (text) => text);

/** If a value is empty, the blank lines around it become one. */
export const renderText = (template: string, values: TemplateValues): string =>
	`${fill(template, values, (text) => text)
		.replace(/\n{3,}/g, '\n\n')
		.trim()}\n`;
