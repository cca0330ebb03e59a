import type { Random } from '../ports.ts';
import type { Code } from '../secret.ts';

/**
 * The shape of our one-time codes. The length, keyboard and pattern of the input and the sanitizer
 * follow from it.
 */
export const OTP_LENGTH = 6;
export const OTP_ALPHABET = '0123456789';

export const codeShape = { length: OTP_LENGTH, alphabet: OTP_ALPHABET };

export type CodeShape = Readonly<typeof codeShape>;

interface CodeInput {
	readonly length: number;
	readonly inputMode: 'numeric' | 'text';
	/**
	 * Accepts any text that holds exactly one code, also a paste with spaces or dashes in a browser
	 * without script. The sanitizer drops the other characters.
	 */
	readonly pattern: string;
	readonly autocapitalize: 'none' | 'characters';
}

const foldsCase = (alphabet: string): boolean => !/\p{Ll}/u.test(alphabet);
const escapeForClass = (characters: string): string =>
	characters.replace(/[\\\]^&~`!#$%*+,.:;<=>?@{|}()/[-]/g, '\\$&');

export const codeInput = (shape: CodeShape = codeShape): CodeInput => {
	const numeric = /^[0-9]+$/.test(shape.alphabet);
	const cased = foldsCase(shape.alphabet)
		? shape.alphabet + shape.alphabet.toLowerCase().replace(/\P{Ll}/gu, '')
		: shape.alphabet;
	const characters = escapeForClass(cased);
	return {
		length: shape.length,
		inputMode: numeric ? 'numeric' : 'text',
		pattern: `[^${characters}]*(?:[${characters}][^${characters}]*){${shape.length}}`,
		autocapitalize: /\p{Lu}/u.test(shape.alphabet) ? 'characters' : 'none'
	};
};

/**
 * Drops every character that a code cannot contain, so that pasted text with spaces, dashes or
 * words works. Full-width characters count as their plain forms. An alphabet without lower case
 * ignores case.
 */
export const sanitizeCode = (input: string, shape: CodeShape = codeShape): string => {
	const allowed = new Set(shape.alphabet);
	const plain = input.normalize('NFKC');
	const folded = foldsCase(shape.alphabet) ? plain.toUpperCase() : plain;
	return [...folded].filter((character) => allowed.has(character)).join('');
};

export const parseCode = (input: string, shape: CodeShape = codeShape): Code | null => {
	const code = sanitizeCode(input, shape);
	return [...code].length === shape.length ? (code as Code) : null;
};

/**
 * Creates a code from a cryptographic source. Bytes that would favour the first characters of the
 * alphabet are discarded (rejection sampling), so every code is equally likely.
 */
export const generateCode = (random: Random, shape: CodeShape = codeShape): Code => {
	const characters = [...shape.alphabet];
	const limit = 256 - (256 % characters.length);
	let code = '';
	let taken = 0;
	while (taken < shape.length) {
		for (const byte of random.bytes(shape.length * 2)) {
			if (byte >= limit || taken === shape.length) continue;
			code += characters[byte % characters.length];
			taken += 1;
		}
	}
	return code as Code;
};
