import { expect, test } from 'vitest';
import { bearer, call, exchange, signIn, whoIs } from '../../support/http/client.ts';
import { onOneServer, present } from '../../support/http/fixtures.ts';

const DEFAULT = '/app';

/** One of each kind. tests/web/security/safe-path.test.ts has all that would leave the site. */
const HOSTILE = ['//evil.com', '/\\evil.com', '/%5Cevil.com', 'https:evil.com', '／／evil.com', ''];

/** What is kept, and its form afterwards. */
const LOCAL: readonly (readonly [string, string])[] = [
	['/app?a=1&b=2&c=%26#top', '/app?a=1&b=2&c=%26#top'],
	['/path?x=//evil', '/path?x=//evil'],
	['/%252F%252Fevil.com', '/%252F%252Fevil.com'],
	['/app?t=ü', '/app?t=%C3%BC']
];

onOneServer((fixture) => {
	const isLocal = (location: string): boolean =>
		/^\/(?![/\\])/.test(location) &&
		!/[\r\n\t\\]/.test(location.split(/[?#]/, 1)[0] ?? '') &&
		new URL(location, fixture.server.address).origin === fixture.server.address;
	const query = (target: string): string => `redirectTo=${encodeURIComponent(target)}`;

	test('H01 H02 H05 H06 a hostile target is dropped and a local one kept whole, for people and for page data; the Referer is none (CVE-2026-40295)', async () => {
		const { cookie } = await signIn(fixture.server);
		const all = [...HOSTILE.map((target) => [target, DEFAULT] as const), ...LOCAL];
		for (const [target, expected] of all) {
			for (const page of ['/auth/sign-in', '/auth/sign-up/__data.json']) {
				const answer = await call(fixture.server, `${page}?${query(target)}`, {
					headers: { cookie, referer: 'https://evil.com/' }
				});
				const location = page.includes('__data')
					? (answer.json() as { location: string }).location
					: answer.headers.location;
				expect([location, target]).toEqual([expected, target]);
			}
		}
		for (const name of ['next', 'callbackURL', 'redirect_to', 'url', 'RedirectTo']) {
			const { headers } = await call(fixture.server, `/auth/sign-in?${name}=/contact`, {
				headers: { cookie: `${cookie}; redirectTo=/contact`, referer: 'https://evil.com/contact' }
			});
			expect([headers.location, name]).toEqual([DEFAULT, name]);
		}
	});

	test('H02 H06 the guard keeps the requested page as the target, as a local path only', async () => {
		const { cookie } = await signIn(fixture.server);
		for (const path of [
			'/app?a=1&b=2',
			'/app?x=%2F%2Fevil.com&y=%26',
			'/no-such?next=//evil.com',
			'//evil.com',
			'/\\evil.com',
			'/..//evil.com',
			'/%2f%2fevil.com',
			'/%5cevil',
			'/app?%0d%0aset-cookie:x=1'
		]) {
			const { status, headers } = await call(fixture.server, path);
			const location = present(headers.location);
			expect([status, path]).toEqual([303, path]);
			expect(location).toMatch(/^\/auth\/sign-in\?redirectTo=/);
			// After a later sign-in the redirect stays on this site.
			const back = await call(fixture.server, location, { headers: { cookie } });
			expect([isLocal(present(back.headers.location)), path]).toEqual([true, path]);
		}
		const kept = await call(fixture.server, '/app?a=1&b=2&c=%23#x');
		const target = new URL(present(kept.headers.location), fixture.server.address).searchParams;
		expect([...target.keys()]).toEqual(['redirectTo']);
		expect(target.get('redirectTo')).toMatch(/^\/app\?a=1&b=2&c=%23/);
		// The URL of a form post is not a target, least of all its action.
		const posted = await call(fixture.server, '/app?/delete&x=1', {
			method: 'POST',
			headers: { accept: 'text/html' }
		});
		expect(posted.headers.location).toBe('/auth/sign-in?redirectTo=%2Fapp');
	});

	test('H03 H04 line breaks and malformed values split no header and cause no error (CVE-2022-31093, GHSA-g5fm-jp9v-2432, sveltejs/kit@10d7b44425)', async () => {
		const { cookie, token } = await signIn(fixture.server);
		const before = fixture.server.output().split('"event":"fault"').length;
		for (const target of [
			'/x%0d%0aset-cookie:%20evil=1',
			'/x%0dy',
			'%0d%0a/app',
			'/app%23%0d%0aevil:1',
			'/%ff%fe',
			'/%E5%98%8A%E5%98%8Dset-cookie:e=1',
			'/app%3Fx=%00',
			'%zz',
			'/%25zz',
			'/%ud800',
			'http://[',
			'&redirectTo[a]=//evil.com',
			'//evil.com&redirectTo=/x',
			'/x&redirectTo=//evil.com'
		]) {
			const received = await exchange(
				fixture.server,
				`GET /auth/sign-in?redirectTo=${target} HTTP/1.1\r\nhost: x\r\n` +
					`cookie: ${cookie}\r\nconnection: close\r\n\r\n`
			);
			const head = received.split('\r\n\r\n', 1)[0] ?? '';
			expect([head, target]).toEqual([expect.stringMatching(/^HTTP\/1\.1 (?:303|400)/), target]);
			expect(head).not.toMatch(/^(?:set-cookie: ?evil|evil)/im);
			const location = /^location: (.*)$/im.exec(head)?.[1];
			if (location !== undefined) expect([isLocal(location), target]).toEqual([true, target]);
		}
		const huge = `/auth/sign-up?redirectTo=/${'x'.repeat(9000)}`;
		expect((await call(fixture.server, huge, { headers: bearer(token) })).status).toBe(303);
		expect(fixture.server.output().split('"event":"fault"').length).toBe(before);
		expect(await whoIs(fixture.server, { cookie })).not.toBeNull();
	});
});
