import type { Cookies } from '@sveltejs/kit';
import { describe, expect, test } from 'vitest';
import { OwnCookies } from '#lib/adapters/web/http/own-cookies.ts';
import type { SessionToken } from '#lib/domain/secret.ts';

const GOOD = 'g'.repeat(43);
const EVIL = 'k'.repeat(43);

/** Stores cookies as a browser would. */
const jar = (): { cookies: Cookies; set: Map<string, Record<string, unknown>> } => {
	const set = new Map<string, Record<string, unknown>>();
	const cookies = {
		set: (name: string, value: string, options: object) => set.set(name, { value, ...options }),
		delete: (name: string, options: object) => set.set(name, { value: '', ...options, maxAge: 0 })
	};
	return { cookies: cookies as Partial<Cookies> as Cookies, set };
};
const read = (header: string, secure = true): string | null =>
	new OwnCookies(jar().cookies, header, secure).get('sessionToken');

describe('the session cookie', () => {
	test('D01: over https it is __Host-, Secure, HttpOnly, Lax, for the whole site and no other host', () => {
		const { cookies, set } = jar();
		const now = new Date('2026-01-01T00:00:00Z');
		new OwnCookies(cookies, null, true).setSession(
			GOOD as SessionToken,
			new Date('2026-03-02T00:00:00Z'),
			now
		);
		expect(set.get('__Host-postern_session')).toEqual({
			value: GOOD,
			path: '/',
			httpOnly: true,
			sameSite: 'lax',
			secure: true,
			maxAge: 60 * 86_400
		});
	});

	test('D03: beside a plain cookie only the prefixed one is read', () => {
		expect(read(`postern_session=${EVIL}; __Host-postern_session=${GOOD}`)).toBe(GOOD);
		expect(read(`postern_session=${EVIL}`)).toBeNull();
	});

	test.each([
		[`\u2000__Host-postern_session=${EVIL}`],
		[`\u00a0__Host-postern_session=${EVIL}`],
		[`=__Host-postern_session=${EVIL}`],
		[`__Host-postern_session =${EVIL}`],
		[`__HOST-postern_session=${EVIL}`],
		[`__Host-postern_session="${EVIL}"`],
		[`__Host-postern_session=${EVIL}x`],
		[`__Host-postern_session_${EVIL}`],
		[`__Host-postern_session=${EVIL.slice(1)} k`],
		['__Host-postern_session'],
		['__Host-postern_session=']
	])('D04: %j is no session', (header) => {
		expect(read(header)).toBeNull();
	});

	test('D04: two different values are no session, in either order; the same value twice is accepted', () => {
		expect(read(`__Host-postern_session=${GOOD}; __Host-postern_session=${EVIL}`)).toBeNull();
		expect(read(`__Host-postern_session=${EVIL}; __Host-postern_session=${GOOD}`)).toBeNull();
		expect(read(`__Host-postern_session=${GOOD};__Host-postern_session=${GOOD}`)).toBe(GOOD);
	});

	test('D04: blanks around it do not count', () => {
		expect(read(`a=b; \t __Host-postern_session=${GOOD} \t ;c=d`)).toBe(GOOD);
	});

	test(
		'R01: a value of blanks at the bound of headers is read in linear time',
		{ timeout: 5_000 },
		() => {
			const header = `__Host-postern_session=${GOOD}${' '.repeat(15_000)}x`;
			// They take milliseconds, and in quadratic time more than the limit.
			for (let times = 0; times < 100; times += 1) expect(read(header)).toBeNull();
		}
	);

	test('D04: it is found among two hundred others', () => {
		const others = Array.from({ length: 200 }, (_, i) => `c${i}=${i}`);
		expect(read([...others, `__Host-postern_session=${GOOD}`, ...others].join('; '))).toBe(GOOD);
	});

	test('D07: clearing it uses the same attributes', () => {
		const { cookies, set } = jar();
		new OwnCookies(cookies, null, false).deleteSessionCookies();
		expect(set.get('postern_session')).toEqual({
			value: '',
			path: '/',
			httpOnly: true,
			sameSite: 'lax',
			secure: false,
			maxAge: 0
		});
	});
});
