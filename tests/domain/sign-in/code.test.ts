import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scriptedRandom } from '../../support/memory/drivers.ts';
import { systemRandom } from '#lib/adapters/system/system.ts';
import {
	codeInput,
	codeShape,
	generateCode,
	OTP_ALPHABET,
	OTP_LENGTH,
	parseCode,
	sanitizeCode,
	type CodeShape
} from '#lib/domain/sign-in/code.ts';
import { anyText } from '../../support/domain/any-text.ts';

const upper: CodeShape = { length: 8, alphabet: 'BCDFGHJKLMNPQRSTVWXZ23456789' };
const lower: CodeShape = { length: 5, alphabet: 'abcdef0123' };
const mixed: CodeShape = { length: 4, alphabet: 'ABCabc' };
const odd: CodeShape = { length: 3, alphabet: '-]\\^[&~' };
const shapes = [codeShape, upper, lower, mixed, odd];

describe('a code', () => {
	it('has six digits unless the two constants say otherwise', () => {
		expect(codeShape).toEqual({ length: OTP_LENGTH, alphabet: OTP_ALPHABET });
		expect(generateCode(systemRandom(), codeShape)).toMatch(/^[0-9]{6}$/);
	});

	it('A15: bytes that would favour some characters are rejected, for any alphabet', () => {
		for (const { alphabet } of shapes) {
			const favoured = 256 - (256 % alphabet.length);
			const byCharacter = new Map<string, number>();
			for (let byte = 0; byte < 256; byte += 1) {
				// The byte in question, then zeros: a rejected byte shows as the first character.
				const [character] = generateCode(scriptedRandom([byte, 0, 0]), { length: 1, alphabet });
				if (byte >= favoured) expect(character).toBe(alphabet[0]);
				else byCharacter.set(character ?? '', (byCharacter.get(character ?? '') ?? 0) + 1);
			}
			expect(new Set(byCharacter.values())).toEqual(new Set([favoured / alphabet.length]));
			expect([...byCharacter.keys()].sort()).toEqual([...alphabet].sort());
		}
	});

	it('A15: depends on its bytes only, without the rejected ones', () => {
		expect(generateCode(scriptedRandom([255, 0, 254, 11, 250, 22, 249, 3, 4]), codeShape)).toBe(
			'012934'
		);
		const script = fc.uint8Array({ minLength: 200, maxLength: 200 });
		fc.assert(
			fc.property(script, fc.constantFrom(...shapes), (bytes, shape) => {
				const limit = 256 - (256 % shape.alphabet.length);
				const kept = [...bytes].filter((byte) => byte < limit).slice(0, shape.length);
				fc.pre(kept.length === shape.length);
				const expected = kept.map((byte) => shape.alphabet[byte % shape.alphabet.length]).join('');
				// Each draw discards its leftover bytes, so the comparison uses one draw.
				const fresh = [...bytes.slice(0, shape.length * 2)].filter((byte) => byte < limit);
				fc.pre(fresh.length >= shape.length);
				expect(generateCode(scriptedRandom(bytes), shape)).toBe(expected);
			})
		);
	});

	it('A15: draws again when a whole draw was rejected', () => {
		const nothing = new Array<number>(36).fill(255);
		expect(generateCode(scriptedRandom([...nothing, 1, 2, 3, 4, 5, 6]), codeShape)).toBe('123456');
	});

	it('is accepted by its own parser, in every shape', () => {
		const random = systemRandom();
		for (const shape of shapes) {
			for (let drawn = 0; drawn < 200; drawn += 1) {
				const code = generateCode(random, shape);
				expect(parseCode(code, shape)).toBe(code);
			}
		}
	});
});

describe('typed text', () => {
	it.each([
		['123456', '123456'],
		['000123', '000123'],
		[' 123 456\n', '123456'],
		['123-456', '123456'],
		['Your code is 123456.', '123456'],
		['１２３４５６', '123456'],
		['\u200b123456\u202c', '123456'],
		['123\u00a0456', '123456']
	])('A13: %j is a code', (typed, code) => {
		expect(parseCode(typed)).toBe(code);
	});

	it.each(['', ' ', '12345', '1234567', 'abcdef', '٠١٢٣٤٥', '[object Object]', 'null'])(
		'A13/A14: %j is not one',
		(typed) => {
			expect(parseCode(typed)).toBeNull();
		}
	);

	it('A13: the parser keeps only valid characters of a long text, in linear time', () => {
		expect(sanitizeCode('x'.repeat(100_000) + '1')).toBe('1');
		expect(parseCode('1'.repeat(100_000))).toBeNull();
	});

	it('folds case if the alphabet has no lower case, and only then', () => {
		expect(sanitizeCode('bcdf-2345', upper)).toBe('BCDF2345');
		expect(sanitizeCode('ABCDEF0123', lower)).toBe('0123');
		expect(sanitizeCode('aBcC', mixed)).toBe('aBcC');
	});

	it('keeps only characters of the alphabet, in order, and is idempotent', () => {
		fc.assert(
			fc.property(anyText(), fc.constantFrom(...shapes), (typed, shape) => {
				const clean = sanitizeCode(typed, shape);
				expect([...clean].every((character) => shape.alphabet.includes(character))).toBe(true);
				expect(sanitizeCode(clean, shape)).toBe(clean);
			}),
			{ numRuns: 300 }
		);
	});
});

describe('the input field for a code', () => {
	it('is numeric for digits', () => {
		expect(codeInput()).toMatchObject({ length: 6, inputMode: 'numeric', autocapitalize: 'none' });
	});

	it('is text in capitals for capitals, and plain text otherwise', () => {
		expect(codeInput(upper)).toMatchObject({ inputMode: 'text', autocapitalize: 'characters' });
		expect(codeInput(lower)).toMatchObject({ inputMode: 'text', autocapitalize: 'none' });
	});

	/** As browsers interpret a `pattern`: anchored, and with the `v` flag. */
	const lets = (shape: CodeShape, typed: string): boolean =>
		new RegExp(`^(?:${codeInput(shape).pattern})$`, 'v').test(typed);

	it('accepts exactly what the parser accepts, for text of plain characters', () => {
		const typed = fc.string({ unit: 'grapheme-ascii', maxLength: 14 });
		const random = systemRandom();
		fc.assert(
			fc.property(typed, fc.constantFrom(...shapes), fc.boolean(), (text, shape, withCode) => {
				const value = withCode ? `${text}${generateCode(random, shape)}` : text;
				expect(lets(shape, value)).toBe(parseCode(value, shape) !== null);
			}),
			{ numRuns: 500 }
		);
	});

	it('accepts a paste with spaces, dashes or words, and nothing of another length', () => {
		for (const typed of ['123456', '123 456', 'code: 123-456'])
			expect(lets(codeShape, typed)).toBe(true);
		for (const typed of ['', '12345', '1234567']) expect(lets(codeShape, typed)).toBe(false);
		expect(lets(upper, 'bcdf-2345')).toBe(true);
		expect(lets(lower, 'ABCDE')).toBe(false);
	});
});
