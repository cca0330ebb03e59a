export type TemplateValues = Readonly<Record<string, string>>;

/** The two parts of a mail, with `{{placeholders}}`. */
export interface MailTemplate {
	readonly html: string;
	readonly text: string;
}

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;
/** Line and paragraph separators included: a value must not start a line of its own. */
const CONTROL = /[\p{Cc}\u2028\u2029]+/gu;
/** Marks that turn the reading direction of what follows, beyond the value that holds them. */
const DIRECTION = /\p{Bidi_Control}/gu;

const ENTITIES: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;'
};

/** One line of visible text, for subjects and names in headers as well. */
export const oneLine = (text: string): string =>
	text.replace(CONTROL, ' ').replace(DIRECTION, '').trim();

export const escapeHtml = (text: string): string =>
	text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

/**
 * Puts values in place of placeholders, in a single pass: what a value holds is text, also when it
 * looks like a placeholder. A name without a value is a mistake in the template and throws.
 */
const fill = (template: string, values: TemplateValues, escape: (text: string) => string): string =>
	template.replace(PLACEHOLDER, (_, written: string) => {
		const name = written.trim();
		if (!Object.hasOwn(values, name)) throw new Error(`mail template: no value for {{${name}}}`);
		return escape(oneLine(values[name] ?? ''));
	});

export const renderHtml = (template: string, values: TemplateValues): string =>
	fill(template, values, escapeHtml);

/** A value may be empty; the blank lines around it then become one. */
export const renderText = (template: string, values: TemplateValues): string =>
	`${fill(template, values, (text) => text)
		.replace(/\n{3,}/g, '\n\n')
		.trim()}\n`;
