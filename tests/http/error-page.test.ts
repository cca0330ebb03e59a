import { describe, expect, test } from 'vitest';
import { textOf } from '../support/http-browser.ts';
import { API, call } from '../support/http-client.ts';
import { onOneServer } from '../support/http-worlds.ts';

const PAGE = `${API}/error`;

describe('the page for what a client says has failed', () => {
	onOneServer((world) => {
		const open = async (query: string) => call(world.server, `${PAGE}${query}`);

		test('says what it is told, the words before the code', async () => {
			const answer = await open('?error=access_denied&error_description=You+said+no');
			expect(answer.status).toBe(200);
			expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
			expect(answer.headers['cache-control']).toBe('no-store');
			expect(textOf(answer.text)).toContain('You said no');
			expect(textOf((await open('?error=access_denied')).text)).toContain('access_denied');
		});

		test('told nothing, it says so much itself', async () => {
			for (const query of ['', '?error=', '?error=%20%20']) {
				expect(textOf((await open(query)).text)).toContain('Something failed on the way here');
			}
		});

		test.each([
			'<img src=x onerror=alert(1)>',
			'</title><script>alert(1)</script>',
			'"><a href=//evil.example>Claim',
			'{{7*7}} ${7*7} $& %sveltekit.error.message%',
			'\u202Eevil\r\nSet-Cookie: a=b'
		])('L01 L03 what it is given is text: %j', async (hostile) => {
			for (const name of ['error', 'error_description']) {
				const { text, headers } = await open(`?${new URLSearchParams({ [name]: hostile })}`);
				expect(text).not.toMatch(/<(?:img|script)|<a href=\/\//);
				expect(text).not.toContain('\u202E');
				expect(headers['set-cookie']).toBeUndefined();
			}
			const { text } = await open(`?${new URLSearchParams({ [hostile]: 'x' })}`);
			expect(text).not.toMatch(/<(?:img|script)|<a href=\/\//);
		});

		test('a long text is cut', async () => {
			const { text } = await open(`?error=${'x'.repeat(10_000)}`);
			expect(text).toContain('x'.repeat(200));
			expect(text).not.toContain('x'.repeat(201));
		});
	});
});
