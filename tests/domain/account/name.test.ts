import { describe, expect, it } from 'vitest';
import { isName, MAX_NAME, nameProblem } from '#lib/domain/index.ts';

describe('a name', () => {
	it.each([
		'',
		'Ada Lovelace',
		'Zoë ✨ 山田',
		'עדה لوفلايس',
		// The marks that keep punctuation and digits on their side of a Hebrew or Arabic word.
		'עדה\u200f (C\u200e++\u200e)',
		'عدد \u061c12',
		// A family of three, held together by joiners that show nothing.
		'👨\u200d👩\u200d👧',
		'<img src=x onerror=alert(1)>',
		'x'.repeat(MAX_NAME)
	])('can be %j', (text) => {
		expect(nameProblem(text)).toBeNull();
		expect(isName(text)).toBe(true);
	});

	it('has at most 200 characters', () => {
		expect(MAX_NAME).toBe(200);
		expect(nameProblem('x'.repeat(201))).toBe('too_long');
	});

	it.each([
		...[
			'a\0b',
			'a\nb',
			'a\tb',
			'a\r\nb',
			'\u001b[31m',
			'a\u0085b',
			'a\u2028b',
			'a\u2029b',
			'a\ud800b'
		],
		...['a\u202ab', 'a\u202bb', 'a\u202cb', 'a\u202db', 'a\u202eb'],
		...['a\u2066b', 'a\u2067b', 'a\u2068b', 'a\u2069b']
	])(
		'L01: contains no character that breaks its line or overrides its direction, such as in %j',
		(text) => {
			expect(nameProblem(text)).toBe('unshowable');
			expect(isName(text)).toBe(false);
		}
	);
});
