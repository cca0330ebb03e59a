import { describe, expect, test } from 'vitest';
import { openBrowser } from '../../support/http/browser.ts';
import { newAddress, pairOf, signIn, whoIs } from '../../support/http/client.ts';
import { onOneServer } from '../../support/http/fixtures.ts';

const ORIGIN = 'https://auth.example.test';
const NAMES = ['browser', 'cache', 'device', 'notice', 'session'].map((name) => `postern_${name}`);
const FLAGS = ['httponly', 'path=/', 'samesite=lax'];

/** The attributes of a Set-Cookie line without its age, lower-cased and sorted. */
const attributesOf = (line: string): string[] =>
	line
		.split(';')
		.slice(1)
		.map((attribute) => attribute.trim().toLowerCase())
		.filter((attribute) => !/^(?:max-age|expires)=/.test(attribute))
		.sort();

describe('over https', () => {
	onOneServer(
		(fixture) => {
			test('D01 F07 every cookie is __Host-, Secure, HttpOnly, SameSite=Lax, for / and no domain', async () => {
				const browser = openBrowser(fixture.server, ORIGIN);
				const email = newAddress();
				const sent = await browser.post('/auth/sign-in?/request', { email });
				const code = await fixture.server.codeFor(email);
				const done = await browser.post('/auth/sign-in?/verify', { email, code });
				const lines = [...sent.setCookies, ...done.setCookies];
				const names = [...new Set(lines.map((line) => pairOf(line)[0]))];
				expect(names.sort()).toEqual(NAMES.map((name) => `__Host-${name}`));
				expect(await whoIs(fixture.server, { cookie: browser.cookies() })).toBe(email);
				const out = await browser.submit(await browser.open('/auth/sign-out'), '/auth/sign-out');
				for (const line of [...lines, ...out.setCookies]) {
					expect(attributesOf(line)).toEqual([...FLAGS, 'secure']);
				}
				expect(browser.cookie('__Host-postern_session')).toBeNull();
			});
		},
		{ AUTH_URL: ORIGIN, EMAIL_CONSOLE: 'allow' }
	);
});

describe('over http on localhost', () => {
	onOneServer((fixture) => {
		test('D01 D02 P03 cookies have no prefix and are not Secure, and are otherwise the same; no answer has HSTS', async () => {
			const { answer } = await signIn(fixture.server);
			const names = answer.setCookies.map((line) => pairOf(line)[0]);
			expect(names.sort()).toEqual(['postern_cache', 'postern_session']);
			for (const line of answer.setCookies) expect(attributesOf(line)).toEqual(FLAGS);
			expect(answer.headers['strict-transport-security']).toBeUndefined();
		});
	});
});
