export const say = (line: string): void => console.log(`[postern] ${line}`);
export const complain = (line: string): void => console.error(`[postern] ${line}`);

/** Controls, invisible characters, line separators, and codes that are no characters. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/gu;

/**
 * A text from the network for the terminal. Control characters could move the cursor and change
 * other lines, and invisible ones could reverse the order of a line. Each becomes its number.
 */
export const printable = (text: string): string =>
	text.replace(UNSAFE, (char) => `\\u{${char.codePointAt(0)?.toString(16) ?? ''}}`);
