import { afterEach, describe, expect, test } from 'vitest';
import { openBrowser } from '../../support/http/browser.ts';
import {
	call,
	newAddress,
	pairOf,
	sendCode,
	signIn,
	verifyCode,
	whoIs,
	ME,
	OUT
} from '../../support/http/client.ts';
import { onBothInLongForm, present } from '../../support/http/fixtures.ts';

const ORIGIN = 'https://auth.example.test';
const SESSION = '__Host-postern_session';
const BROWSER = '__Host-postern_browser';
const CACHE = '__Host-postern_cache';
const DEVICE = '__Host-postern_device';
const DAY = 86_400;

/** The attributes of a Set-Cookie line, lower-cased and sorted; without the value. */
const attributesOf = (line: string): string[] =>
	line
		.split(';')
		.slice(1)
		.map((attribute) => attribute.trim().toLowerCase())
		.sort();
const maxAgeOf = (line: string): number => Number(/max-age=(-?\d+)/i.exec(line)?.[1] ?? NaN);
/** The one line that sets this cookie. */
const lineOf = (name: string, lines: readonly string[]): string => {
	const found = lines.filter((line) => pairOf(line)[0] === name);
	expect([name, found.length]).toEqual([name, 1]);
	return present(found[0]);
};
const FLAGS = ['httponly', 'path=/', 'samesite=lax', 'secure'];

describe('over https', () => {
	onBothInLongForm(
		(fixture) => {
			afterEach(async () => {
				await fixture.server.shiftClock(0);
			});

			test('D01 P04 every cookie of the API is __Host-, Secure, HttpOnly, SameSite=Lax, for / and no domain', async () => {
				const email = newAddress();
				const headers = { origin: ORIGIN, 'sec-fetch-site': 'same-origin' };
				const sent = await sendCode(fixture.server, email, headers);
				const cookie = sent.setCookies.map((line) => pairOf(line).join('=')).join('; ');
				const code = await fixture.server.codeFor(email);
				const done = await verifyCode(fixture.server, email, code, { ...headers, cookie });

				const lines = [...sent.setCookies, ...done.setCookies];
				expect(lines.map((line) => pairOf(line)[0]).sort()).toEqual([
					BROWSER,
					CACHE,
					DEVICE,
					SESSION
				]);
				for (const line of lines) {
					const rest = attributesOf(line).filter((attribute) => !attribute.startsWith('max-age='));
					expect(rest).toEqual(FLAGS);
				}
				expect(maxAgeOf(lineOf(SESSION, done.setCookies))).toBe(60 * DAY);
				expect(maxAgeOf(lineOf(CACHE, done.setCookies))).toBe(300);
				expect(sent.headers['strict-transport-security']).toMatch(/max-age=\d{8}/);
			});

			test('D01 every cookie of the web flow has the same attributes', async () => {
				const browser = openBrowser(fixture.server, ORIGIN);
				const email = newAddress();
				const response = await browser.post('/auth/sign-in?/request', {
					email,
					__superform_id: 'email'
				});
				const code = await fixture.server.codeFor(email);
				const done = await browser.post('/auth/sign-in?/verify', {
					email,
					code,
					__superform_id: 'code'
				});
				expect([response.status, done.status]).toEqual([303, 303]);
				const lines = [...response.setCookies, ...done.setCookies];
				expect(lines.map((line) => pairOf(line)[0]).sort()).toEqual([
					BROWSER,
					CACHE,
					DEVICE,
					'__Host-postern_notice',
					SESSION
				]);
				for (const line of lines) {
					expect(attributesOf(line)).toEqual(expect.arrayContaining(FLAGS));
					expect(line).not.toMatch(/domain=/i);
				}
				expect(await whoIs(fixture.server, { cookie: browser.cookies() })).toBe(email);
			});

			test('D03 only the prefixed cookie is read, whatever other cookies are sent', async () => {
				const [good, evil] = [await signIn(fixture.server), await signIn(fixture.server)];
				const plain = `postern_session=${evil.token}`;
				expect(await whoIs(fixture.server, { cookie: `${good.cookie}; ${plain}` })).toBe(
					good.email
				);
				expect(await whoIs(fixture.server, { cookie: `${plain}; ${good.cookie}` })).toBe(
					good.email
				);
				expect(await whoIs(fixture.server, { cookie: plain })).toBeNull();
				expect(
					await whoIs(fixture.server, { cookie: `__Secure-postern_session=${evil.token}` })
				).toBeNull();
			});

			test('D04 no other spelling of a cookie’s name counts as ours', async () => {
				const { token } = await signIn(fixture.server);
				const spellings = [
					`\u2000${SESSION}=${token}`,
					`\u00a0${SESSION}=${token}`,
					`\u0085${SESSION}=${token}`,
					`=${SESSION}=${token}`,
					`${SESSION} =${token}`,
					`${SESSION.toLowerCase()}=${token}`,
					`"${SESSION}"=${token}`,
					`${SESSION}="${token}"`,
					`${SESSION}==${token}`,
					`${SESSION}`,
					`%5F%5FHost-postern_session=${token}`,
					`a="; ${SESSION}x=${token}; "`,
					`$Version=1; $${SESSION}=${token}`
				];
				for (const spelling of spellings) {
					// Sent as the bytes of UTF-8, as browsers do.
					const cookie = Buffer.from(spelling, 'utf8').toString('latin1');
					const answer = await call(fixture.server, ME, { headers: { cookie } });
					expect([answer.status, answer.text, spelling]).toEqual([200, 'null', spelling]);
				}
			});

			test('D04 of two cookies with the same name, in either order, neither authenticates as the planted one', async () => {
				const [good, evil] = [await signIn(fixture.server), await signIn(fixture.server)];
				for (const cookie of [`${good.cookie}; ${evil.cookie}`, `${evil.cookie}; ${good.cookie}`]) {
					expect(await whoIs(fixture.server, { cookie })).not.toBe(evil.email);
				}
				expect(await whoIs(fixture.server, { cookie: `${good.cookie}; ${good.cookie}` })).toBe(
					good.email
				);
			});

			test('D04 200 other and malformed cookies cause no error', async () => {
				const { cookie, email } = await signIn(fixture.server);
				const many = Array.from({ length: 200 }, (_, i) => `c${i}=${'v'.repeat(20)}`).join('; ');
				expect(await whoIs(fixture.server, { cookie: `${many}; ${cookie}` })).toBe(email);
				for (const junk of [';;;', '=', '; =;', 'a=%zz', '__proto__=x', 'constructor=1']) {
					expect(await whoIs(fixture.server, { cookie: `${junk}; ${cookie}` })).toBe(email);
					expect(await whoIs(fixture.server, { cookie: junk })).toBeNull();
				}
			});

			test('D06 a refreshed cookie lives 60 days and the key of the device 400, which is all that browsers allow', async () => {
				const { cookie, token } = await signIn(fixture.server);
				await fixture.server.shiftClock(DAY + 1);
				const { setCookies } = await call(fixture.server, ME, { headers: { cookie } });
				expect(setCookies).toHaveLength(3);
				expect(maxAgeOf(lineOf(DEVICE, setCookies))).toBe(400 * DAY);
				const renewed = lineOf(SESSION, setCookies);
				expect(pairOf(renewed)).toEqual([SESSION, token]);
				expect(maxAgeOf(renewed)).toBe(60 * DAY);
				expect(maxAgeOf(lineOf(CACHE, setCookies))).toBe(300);
				for (const line of setCookies) {
					expect(attributesOf(line)).toEqual(expect.arrayContaining(FLAGS));
				}
			});

			test('D07 signing out by API and by form expires the session and its cache with the flags they were set with', async () => {
				const byApi = await signIn(fixture.server);
				const api = await call(fixture.server, OUT, {
					json: {},
					headers: { cookie: byApi.cookie, origin: ORIGIN }
				});
				const byForm = await signIn(fixture.server);
				const browser = openBrowser(fixture.server, ORIGIN);
				browser.plant(SESSION, byForm.token);
				const form = await browser.submit(await browser.open('/auth/sign-out'), '/auth/sign-out');
				expect([api.status, form.status]).toEqual([200, 303]);
				for (const { setCookies, headers } of [api, form]) {
					for (const line of [lineOf(SESSION, setCookies), lineOf(CACHE, setCookies)]) {
						expect(pairOf(line)[1]).toBe('');
						expect(maxAgeOf(line)).toBe(0);
						expect(attributesOf(line)).toEqual(expect.arrayContaining(FLAGS));
					}
					expect(headers['clear-site-data']).toContain('"storage"');
				}
				expect(await whoIs(fixture.server, { cookie: byForm.cookie })).toBeNull();
			});
		},
		{ env: { AUTH_URL: ORIGIN, EMAIL_CONSOLE: 'allow' } }
	);
});

describe('over http on localhost', () => {
	onBothInLongForm((fixture) => {
		test('D01 D02 cookies have no prefix and are not Secure, and are otherwise the same', async () => {
			const { answer } = await signIn(fixture.server);
			expect(answer.setCookies).toHaveLength(2);
			for (const [name, age] of [
				['postern_session', 60 * DAY],
				['postern_cache', 300]
			] as const) {
				expect(attributesOf(lineOf(name, answer.setCookies))).toEqual([
					'httponly',
					`max-age=${age}`,
					'path=/',
					'samesite=lax'
				]);
			}
			expect(answer.headers['strict-transport-security']).toBeUndefined();
		});
	});
});
