import { expect, test } from 'vitest';
import { withConsentMark } from '#lib/consent-mark.ts';
import { openBrowser } from '../../support/http/browser.ts';
import {
	bearer,
	call,
	exchange,
	inBatches,
	newAddress,
	rounds,
	signIn,
	whoIs,
	type Answer
} from '../../support/http/client.ts';
import { onOneServer, present } from '../../support/http/fixtures.ts';
import { sampled } from '../../support/http/sampled.ts';

const DEFAULT = '/app';

/** Each would leave the site in some browser, or is not a local path. */
const HOSTILE = [
	...['//evil.com', '///evil.com', '/////evil.com', '/\\evil.com', '\\\\evil.com', '\\/evil.com'],
	...['/%5Cevil.com', '/%5c/evil.com', '/%2F%2Fevil.com', '/%2fevil.com', '/..//evil.com'],
	...['/.//evil', '/a/..//evil.com', '/./..//evil.com', '/%2e%2e//evil.com', '/x/%2e%2e//evil.com'],
	...[
		'https:evil.com',
		'https:/evil.com',
		'https://evil.com',
		'https:///evil.com',
		'http:evil.com'
	],
	...[
		'http://localhost@evil.com',
		'https://localhost.evil.com',
		'HTTPS://EVIL.COM',
		'//evil.com@x'
	],
	...['/\t/evil.com', '/\n/evil.com', '/\r\n/evil.com', '\u0000//evil.com', '/\u0000/evil.com'],
	...[' //evil.com', '\t//evil.com', '\ufeff//evil.com', '\u00a0//evil.com', '／／evil.com'],
	...[
		'javascript:alert(1)',
		'JaVaScRiPt:alert(1)',
		'java\nscript:alert(1)',
		' javascript:alert(1)'
	],
	...['data:text/html,x', 'vbscript:x', 'blob:https://evil.com/x', 'file:///etc/passwd', 'about:x'],
	...[
		'mailto:a@b.c',
		'tel:1',
		'intent://evil#x',
		'app',
		'./app',
		'../app',
		'?x',
		'#x',
		'',
		' ',
		'.'
	],
	...[`/${'a'.repeat(10_000)}`, 'null', 'undefined', '[object Object]', '["/app"]', '{"a":1}']
];

/** What is kept, and its form afterwards. */
const LOCAL: readonly (readonly [string, string])[] = [
	['/app', '/app'],
	['/path?x=//evil', '/path?x=//evil'],
	['/?next=https://evil.com/&a=\\', '/?next=https://evil.com/&a=\\'],
	['/app?a=1&b=2&c=%26#top', '/app?a=1&b=2&c=%26#top'],
	['/app?redirectTo=/x?y=1%26z=2', '/app?redirectTo=/x?y=1%26z=2'],
	['/a/../b', '/b'],
	['/%252F%252Fevil.com', '/%252F%252Fevil.com'],
	['/%255Cevil.com', '/%255Cevil.com'],
	['/:@evil.com', '/:@evil.com'],
	['/evil.com', '/evil.com'],
	['/／evil.com', '/%EF%BC%8Fevil.com'],
	['/app?t=ü', '/app?t=%C3%BC']
];

onOneServer((fixture) => {
	const isLocal = (location: string): boolean =>
		/^\/(?![/\\])/.test(location) &&
		!/[\r\n\t\\]/.test(location.split(/[?#]/, 1)[0] ?? '') &&
		new URL(location, fixture.server.address).origin === fixture.server.address;
	const query = (target: string): string => `redirectTo=${encodeURIComponent(target)}`;

	test('H01 H02 H05 opening sign-in or sign-up while signed in drops a hostile target and keeps a local one whole (CVE-2026-40295)', async () => {
		const { cookie } = await signIn(fixture.server);
		const requests = [...HOSTILE.map((target) => [target, DEFAULT] as const), ...LOCAL].flatMap(
			([target, expected]) =>
				['/auth/sign-in', '/auth/sign-up'].flatMap((page) =>
					// A 10 KB target leaves room for the rest of the request.
					[page, `${page}/__data.json`].map((path) => ({
						...{ target, expected, path: `${path}?${query(target)}` }
					}))
				)
		);
		const answers = await inBatches(requests, 40, ({ path }) =>
			call(fixture.server, path, { headers: { cookie, referer: 'https://evil.com/' } })
		);
		answers.forEach((answer, i) => {
			const { target, expected, path } = present(requests[i]);
			const location = path.includes('__data')
				? (answer.json() as { location: string }).location
				: answer.headers.location;
			expect([location, target]).toEqual([expected, target]);
			expect(isLocal(present(location))).toBe(true);
		});
	});

	test('H01 H05 H06 the target is checked again when the code is entered, by form and by script, and keeps its query (CVE-2024-56734, CVE-2025-27143, CVE-2025-53535, GHSA-vp58-j275-797x)', async () => {
		const sample = [
			...HOSTILE.filter((target, i) => i % rounds(8, 4) === 0 && target.length < 2000).map(
				(target) => [target, DEFAULT] as const
			),
			...sampled(LOCAL, 3)
		];
		await inBatches(sample, 8, async ([target, expected]) => {
			const browser = openBrowser(fixture.server);
			const email = newAddress();
			const page = await browser.open(`/auth/sign-in?${query(target)}`);
			const response = await browser.submit(page, '?/request', { email });
			// The page keeps the target and does not follow it: the next step is the same page.
			expect([response.status, present(response.headers.location).split('?')[0]]).toEqual([
				303,
				'/auth/sign-in'
			]);
			const codePage = await browser.open(present(response.headers.location));
			const code = await fixture.server.codeFor(email);
			const done = await browser.submit(codePage, '?/verify', { code });
			expect([done.status, done.headers.location, target]).toEqual([303, expected, target]);
			expect(done.text).not.toContain(present(browser.cookie('postern_session')));
		});

		const browser = openBrowser(fixture.server);
		const email = newAddress();
		await browser.post('/auth/sign-up?/request', { email, __superform_id: 'email' });
		const code = await fixture.server.codeFor(email);
		const page = await browser.open('/auth/sign-up');
		const csrf = /name="csrf"[^>]*value="([^"]+)"/.exec(page.text)?.[1] ?? '';
		const byScript = await call(fixture.server, `/auth/sign-up?/verify&${query('//evil.com')}`, {
			method: 'POST',
			body: new URLSearchParams({ csrf, email, code, __superform_id: 'code' }).toString(),
			headers: {
				...{
					cookie: browser.cookies(),
					origin: fixture.server.address,
					accept: 'application/json'
				},
				...{ 'content-type': 'application/x-www-form-urlencoded', 'x-sveltekit-action': 'true' }
			}
		});
		// The page removes the mark before it follows the target.
		const location = withConsentMark(DEFAULT);
		expect(byScript.json()).toEqual({ type: 'redirect', status: 303, location });
	});

	test('H05 a target in the body, a header, a cookie or under another name is ignored', async () => {
		const { cookie } = await signIn(fixture.server);
		for (const name of [
			'next',
			'callbackURL',
			'redirect',
			'redirect_to',
			'returnTo',
			'url',
			'RedirectTo'
		]) {
			const { headers } = await call(fixture.server, `/auth/sign-in?${name}=/contact`, {
				headers: { cookie: `${cookie}; redirectTo=/contact`, referer: 'https://evil.com/contact' }
			});
			expect([headers.location, name]).toEqual([DEFAULT, name]);
		}
		const browser = openBrowser(fixture.server);
		const email = newAddress();
		await browser.post('/auth/sign-in?/request', { email, __superform_id: 'email' });
		const code = await fixture.server.codeFor(email);
		const done = await browser.post('/auth/sign-in?/verify', {
			...{ email, code, __superform_id: 'code' },
			...{ redirectTo: 'https://evil.com', callbackURL: '//evil.com' }
		});
		expect(done.headers.location).toBe(DEFAULT);
		const page = await browser.open('/auth/sign-out');
		const out = await browser.submit(page, '/auth/sign-out', { redirectTo: '//evil.com' });
		expect(out.headers.location).toBe('/');
	});

	test('H02 H06 the guard keeps the requested page as the target, as a local path only', async () => {
		const paths = [
			...['/app', '/app?a=1&b=2', '/app?x=%2F%2Fevil.com&y=%26', '/no-such?next=//evil.com'],
			...[
				'//evil.com',
				'///evil.com',
				'/\\evil.com',
				'/..//evil.com',
				'/%2f%2fevil.com',
				'/%5cevil'
			],
			...[
				'/app/',
				'/app?redirectTo=https://evil.com',
				'/app?%0d%0aset-cookie:x=1',
				'/%0d%0ax',
				'/@evil'
			]
		];
		for (const path of paths) {
			const { status, headers } = await call(fixture.server, path);
			const location = present(headers.location);
			if (path === '/app/') {
				expect([
					status,
					isLocal(new URL(location, `${fixture.server.address}${path}`).pathname)
				]).toEqual([expect.any(Number), true]);
				continue;
			}
			expect([status, path, location.startsWith('/auth/sign-in?redirectTo=')]).toEqual([
				...[303, path, true]
			]);
			expect(isLocal(location)).toBe(true);
			expect(Object.keys(headers)).not.toContain('set-cookie');
			// After a later sign-in the redirect stays on this site.
			const { cookie } = await signIn(fixture.server);
			const back = await call(fixture.server, location, { headers: { cookie } });
			expect([back.status, isLocal(present(back.headers.location)), path]).toEqual([
				303,
				true,
				path
			]);
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

	test('H03 line breaks in a target split no header and cause no error, in any place', async () => {
		const { cookie } = await signIn(fixture.server);
		const before = fixture.server.output().split('"event":"fault"').length;
		const breaks = [
			...['/x%0d%0aset-cookie:%20evil=1', '/x%0aset-cookie:evil=1', '/x%0dy', '%0d%0a/app'],
			...[
				'/app%3Fa=%0d%0aset-cookie:evil=1',
				'/app%23%0d%0aevil:1',
				'/%E5%98%8A%E5%98%8Dset-cookie:e=1'
			],
			...[
				'/app%3Fx=%00',
				'/%ff%fe',
				'%zz',
				'/%25zz',
				'/%25',
				'/app%3F%25zz',
				'/%ud800',
				'/%25ud800'
			]
		];
		for (const target of breaks) {
			const { hostname, port } = new URL(fixture.server.address);
			const received = await exchange(
				fixture.server,
				[
					`GET /auth/sign-in?redirectTo=${target} HTTP/1.1`,
					`host: ${hostname}:${port}`,
					`cookie: ${cookie}`,
					'connection: close\r\n\r\n'
				].join('\r\n')
			);
			const head = received.split('\r\n\r\n', 1)[0] ?? '';
			expect([head.split('\r\n', 1)[0], target]).toEqual([
				expect.stringMatching(/^HTTP\/1\.1 (?:303|400)/),
				target
			]);
			expect(head).not.toMatch(/^(?:set-cookie: ?evil|evil)/im);
			const location = /^location: (.*)$/im.exec(head)?.[1];
			if (location !== undefined) expect([isLocal(location), target]).toEqual([true, target]);
		}
		expect(fixture.server.output().split('"event":"fault"').length).toBe(before);
		expect(await whoIs(fixture.server, { cookie })).not.toBeNull();
	});

	test('H04 a target that is an array, an object, empty, repeated or huge causes no error and leads to a local path', async () => {
		const { cookie, token } = await signIn(fixture.server);
		const queries = [
			...[
				'redirectTo',
				'redirectTo=',
				'redirectTo[]=/x',
				'redirectTo[a]=//evil.com',
				'=',
				'&&',
				'?'
			],
			...['redirectTo=//evil.com&redirectTo=/x', 'redirectTo=/x&redirectTo=//evil.com'],
			...[
				'redirectTo=%5B%22//evil.com%22%5D',
				'redirectTo=%7B%7D',
				'redirectTo=1',
				'redirectTo=true'
			],
			...[`redirectTo=/${'x'.repeat(9000)}`, `redirectTo=${'/'.repeat(5000)}`, '__proto__=/x']
		];
		for (const page of ['/auth/sign-in', '/auth/sign-up']) {
			for (const tail of queries) {
				for (const headers of [{ cookie }, bearer(token)]) {
					const answer = await call(fixture.server, `${page}?${tail}`, { headers });
					expect([answer.status, isLocal(present(answer.headers.location)), tail]).toEqual([
						...[303, true, tail]
					]);
				}
				const stranger = await call(fixture.server, `${page}?${tail}`);
				expect([stranger.status, tail]).toEqual([200, tail]);
			}
		}
	});

	test('H01 H06 no page has a link to a hostile target, or sends a token to it', async () => {
		for (const target of HOSTILE.filter((target) => target.length < 2000)) {
			const page: Answer = await call(fixture.server, `/auth/sign-in?${query(target)}`);
			expect([page.status, target]).toEqual([200, target]);
			const followed = [...page.text.matchAll(/\b(?:href|action|formaction|src)="([^"]*)"/g)].map(
				([, address = '']) =>
					new URL(address.replaceAll('&amp;', '&'), `${fixture.server.address}/auth/`)
			);
			expect(followed.length).toBeGreaterThan(3);
			const away = followed.filter(
				({ protocol, origin }) => protocol === 'javascript:' || origin !== fixture.server.address
			);
			expect([away.map(String), target]).toEqual([[], target]);
			expect(page.headers['referrer-policy']).toBe('strict-origin-when-cross-origin');
		}
	});
});
