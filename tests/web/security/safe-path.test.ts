import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { safePath } from '#lib/adapters/web/http/paths.ts';
import { anyText } from '../../support/domain/any-text.ts';

const ORIGIN = 'https://app.example.com';

describe('a path to go to after signing in', () => {
	test.each([
		'//evil.com',
		'///evil.com',
		'/\\evil.com',
		'\\\\evil.com',
		'/%5Cevil.com',
		'/%2F%2Fevil.com',
		'/..//evil.com',
		'/.//evil',
		'/%2e%2e//evil.com',
		'https:evil.com',
		'https:///evil.com',
		'http://app.example.com@evil.com',
		'https://app.example.com.evil.com',
		'/\t/evil.com',
		'/\n/evil',
		'\u0000//evil',
		' //evil',
		'／／evil.com',
		'javascript:alert(1)',
		'evil.com',
		'',
		`/${'a'.repeat(10_000)}`,
		['/app'],
		{ toString: () => '/app' },
		null,
		undefined
	])('H01: %j is refused (CVE-2021-23435)', (value) => {
		expect(safePath(value, ORIGIN)).toBeNull();
	});

	test.each([
		['/', '/'],
		['/app', '/app'],
		['/path?x=//evil', '/path?x=//evil'],
		['/path?next=https://evil.com&b=2', '/path?next=https://evil.com&b=2'],
		['/a/../b#part', '/b#part'],
		['/%252F%252Fevil.com', '/%252F%252Fevil.com']
	])('H01: %s stays local', (value, expected) => {
		expect(safePath(value, ORIGIN)).toBe(expected);
	});

	test('H02: every accepted path stays on the origin', () => {
		const hostile = fc.string({
			unit: fc.constantFrom(
				'/',
				'\\',
				'.',
				'%',
				'2',
				'f',
				'5',
				'c',
				'\t',
				'?',
				'#',
				'@',
				':',
				'e',
				' '
			)
		});
		fc.assert(
			fc.property(
				fc.oneof(
					anyText(),
					hostile.map((rest) => `/${rest}`)
				),
				(value) => {
					const path = safePath(value, ORIGIN);
					return (
						path === null || (new URL(path, ORIGIN).origin === ORIGIN && !path.startsWith('//'))
					);
				}
			),
			{ numRuns: 50_000 }
		);
	});
});
