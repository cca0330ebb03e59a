import { describe, expect, test } from 'vitest';
import { messages } from '#lib/messages/messages.ts';
import { textOf } from '../../support/http/browser.ts';
import { API, call } from '../../support/http/client.ts';
import { onOneServer } from '../../support/http/fixtures.ts';

const PAGE = `${API}/error`;
const GENERAL = messages.faults.elsewhere.split('. ');

describe('the page for an error that a client names', () => {
	onOneServer((fixture) => {
		const open = async (query: string) => call(fixture.server, `${PAGE}${query}`);

		test.each(Object.entries(messages.clientErrors))(
			'explains %s in our own text',
			async (code, text) => {
				for (const spelling of [code, code.toLowerCase()]) {
					const answer = await open(`?error=${spelling}`);
					expect(answer.status).toBe(200);
					expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
					expect(answer.headers['cache-control']).toBe('no-store');
					for (const sentence of text.split(/\. |$/)) {
						expect(textOf(answer.text)).toContain(sentence);
					}
					expect(answer.text).not.toContain(spelling);
				}
			}
		);

		test('shows a general text for an unknown code', async () => {
			const [general] = await Promise.all(['', '?error=', '?error=%20', '?x=y'].map(open));
			for (const sentence of GENERAL) expect(textOf(general?.text ?? '')).toContain(sentence);
			for (const code of ['toString', '__proto__', 'constructor', 'x'.repeat(10_000), 'INVALID']) {
				const answer = await open(`?error=${code}`);
				expect([answer.status, answer.text]).toEqual([200, general?.text]);
			}
		});

		test.each([
			'</title><script>alert(1)</script>',
			'{{7*7}} ${7*7} $& %sveltekit.error.message%',
			'\u202Eevil\r\nSet-Cookie: a=b'
		])('L01 L03 repeats nothing of the query: %j', async (hostile) => {
			const { text: general } = await open('');
			const { text: known } = await open('?error=INVALID_TOKEN');
			for (const [query, page] of [
				[{ error: hostile }, general],
				[{ error_description: hostile }, general],
				[{ error: 'INVALID_TOKEN', error_description: hostile }, known],
				[{ [hostile]: 'x' }, general]
			] as const) {
				const answer = await open(`?${new URLSearchParams(query)}`);
				expect([answer.status, answer.text]).toEqual([200, page]);
				expect(answer.headers['set-cookie']).toBeUndefined();
				// Nor in a header, in any encoding.
				expect(decodeURIComponent(JSON.stringify(answer.headers))).not.toContain(hostile);
			}
		});
	});
});
