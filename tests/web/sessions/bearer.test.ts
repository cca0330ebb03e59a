import { describe, expect, test } from 'vitest';
import { bearerToken } from '#lib/adapters/web/http/request-headers.ts';

const TOKEN = `${'a-Z_9'.repeat(8)}abc`;

describe('a bearer token', () => {
	test.each([
		`Bearer ${TOKEN}`,
		`bearer ${TOKEN}`,
		`BEARER    ${TOKEN}  `,
		`Bearer ${TOKEN.replaceAll('-', '%2D').replaceAll('_', '%5F')}`
	])('E16: %s is read', (header) => {
		expect(bearerToken(header)).toBe(TOKEN);
	});

	test.each([
		null,
		'',
		'Bearer',
		'Bearer %',
		'Bearer %E0%A4%A',
		`Basic ${TOKEN}`,
		`Bearer${TOKEN}`,
		TOKEN,
		`Bearer ${TOKEN}, Bearer ${TOKEN}`,
		`Bearer ${TOKEN}x`,
		`Bearer ${'x'.repeat(65_536)}`
	])('E16: %s is none (GHSA-xmf8-cvqr-rfgj)', (header) => {
		expect(bearerToken(header)).toBeNull();
	});
});
