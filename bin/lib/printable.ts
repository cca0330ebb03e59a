/** Controls, invisible characters, line separators, and codes that are no characters. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/gu;

/**
 * A text from the network for the terminal. Control characters could move the cursor and change
 * other lines, and invisible ones could reverse the order of a line. Each becomes its number.
 */
export const printable = (text: string): string =>
	text.replace(UNSAFE, (char) => `\\u{${char.codePointAt(0)?.toString(16) ?? ''}}`);

/** The same for a value as JSON, which stays valid. The line breaks of JSON itself stay. */
export const printableJson = (value: unknown): string =>
	JSON.stringify(value, null, 2).replace(UNSAFE, (char) =>
		char === '\n' ? char : char.split('').map(escapedUnit).join('')
	);

const escapedUnit = (unit: string): string =>
	`\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** `createdAt` becomes `created at`. */
export const words = (name: string): string =>
	name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** How a person calls a program: by its npm script, or as a command of the installed package. */
export const calling = (program: string): string => {
	const script = process.env['npm_lifecycle_event'];
	return script?.replace(':', '-') === program ? `npm run ${script} --` : `postern ${program}`;
};
