import { expect, test } from 'vitest';
import { openBrowser, tokenOf } from '../../support/http/browser.ts';
import { call, nextClient, signIn, tally, times, type Answer } from '../../support/http/client.ts';
import { onOneServer, present } from '../../support/http/fixtures.ts';

const PAGES = [
	'/docs',
	'/docs/api',
	'/docs/api/get-get-session',
	'/docs/api/errors',
	'/docs/guides/web-pages',
	'/docs/guides/mobile-apps'
];
const DATA = '/__data.json';

const nonceOf = ({ headers }: Answer): string =>
	present(/'nonce-([^']+)'/.exec(String(headers['content-security-policy'])))[1] ?? '';
const keyOf = ({ setCookies }: Answer): string =>
	present(/^postern_browser=([^;]+)/.exec(present(setCookies[0])))[1] ?? '';
const dataTokenOf = ({ text }: Answer): string =>
	present(/"([0-9a-f]{32}\.[\w-]{43})"/.exec(text))[1] ?? '';
const flat = (answer: Answer, secrets: readonly string[]): string =>
	secrets.reduce((text, secret) => text.replaceAll(secret, '*'), answer.text);
/** Headers without those that differ between any two answers. */
const fixedHeaders = ({ headers }: Answer): object => {
	const { date: _, 'x-request-id': __, etag: ___, 'set-cookie': ____, ...rest } = headers;
	const policy = String(rest['content-security-policy']).replace(/'nonce-[^']+'/, '*');
	return { ...rest, 'content-security-policy': policy };
};

onOneServer((fixture) => {
	const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
		call(fixture.server, path, { method, headers });

	test.each(PAGES)(
		'P01 a cached %s gives each caller its own nonce, form token and browser key',
		async (path) => {
			// The first response is rendered, the others come from the cache.
			const answers = [await get(path), await get(path), await get(path)];
			const own = answers.map((answer) => [
				nonceOf(answer),
				present(tokenOf(answer.text)),
				keyOf(answer)
			]);
			expect(new Set(own.flat()).size).toBe(9);
			const [rendered, ...kept] = answers.map((answer, index) => flat(answer, present(own[index])));
			for (const [index, answer] of answers.entries()) {
				const [nonce = ''] = present(own[index]);
				const scripts = answer.text.match(/<script\b[^>]*>/g) ?? [];
				expect(scripts.length).toBeGreaterThan(0);
				for (const script of scripts) expect(script).toContain(`nonce="${nonce}"`);
				expect(answer.text).not.toContain(keyOf(answer));
				for (const other of own.toSpliced(index, 1).flat())
					expect(answer.text).not.toContain(other);
				expect(fixedHeaders(answer)).toEqual(fixedHeaders(present(answers[0])));
				expect(answer.setCookies.map((line) => line.replace(/=[^;]+/, '='))).toEqual(
					present(answers[0]).setCookies.map((line) => line.replace(/=[^;]+/, '='))
				);
			}
			for (const text of kept) expect(text).toBe(rendered);
		}
	);

	test.each(PAGES)(
		'the data of %s is cached as well, with a token for each caller',
		async (path) => {
			for (const query of ['', '?x-sveltekit-invalidated=111']) {
				const answers = [await get(path + DATA + query), await get(path + DATA + query)];
				const own = answers.map((answer) => [dataTokenOf(answer), keyOf(answer)]);
				expect(new Set(own.flat()).size).toBe(4);
				const texts = answers.map((answer, index) => flat(answer, present(own[index])));
				expect(texts[1]).toBe(texts[0]);
				expect(fixedHeaders(present(answers[1]))).toEqual(fixedHeaders(present(answers[0])));
			}
			const parts = `${path}${DATA}?x-sveltekit-invalidated=001`;
			const [first, second] = [await get(parts), await get(parts)];
			expect(second.text).toBe(first.text);
			expect([first.setCookies, second.setCookies]).toEqual([[], []]);
		}
	);

	test('a form of a cached page works only in the browser that got it', async () => {
		const browser = openBrowser(fixture.server);
		await browser.open('/docs/api');
		const page = await browser.open('/docs/api?x=1&y=%22');
		const chosen = await browser.submit(page, '/theme', { theme: 'dark' });
		expect([chosen.status, chosen.headers.location]).toEqual([303, '/docs/api?x=1&y=%22']);
		const other = openBrowser(fixture.server);
		await other.open('/docs/api');
		const stolen = { csrf: present(tokenOf(page.text)), theme: 'dark' };
		expect((await other.post('/theme', stolen)).status).toBe(403);
	});

	test('the theme of one caller is not shown to the next', async () => {
		for (const theme of ['dark', 'light', 'dark']) {
			const cookie = `postern_theme=${theme}`;
			expect((await get('/docs/api', { cookie })).text).toContain(`data-theme="${theme}"`);
			expect((await get('/docs/api')).text).toContain('data-theme="system"');
		}
	});

	test('text that a caller puts into the URL is shown to that caller only', async () => {
		const path = '/docs/guides/other-backends';
		const written = ['?planted=<script>"', '?planted=%22&x', '/?planted'];
		for (const query of written) await get(path + query);
		for (const spelled of [
			'/docs/guides/%6fther-backends?planted',
			'/docs/%67uides/other-backends'
		]) {
			expect((await get(spelled)).status).toBe(200);
		}
		for (let round = 0; round < 3; round += 1) {
			const { text } = await get(path);
			expect(text).not.toContain('planted');
			expect(text).toContain(`name="from" value="${path}"`);
			expect((await get(`${path}?a=1&b=2`)).text).toContain(`value="${path}?a=1&amp;b=2"`);
		}
	});

	test('HEAD has the headers of GET', async () => {
		for (const path of PAGES) {
			const [read, head] = [await get(path), await get(path, {}, 'HEAD')];
			expect(fixedHeaders(head)).toEqual(fixedHeaders(read));
			expect(head.text).toBe('');
			expect(keyOf(head)).not.toBe(keyOf(read));
		}
	});

	test('a page that is not found is not cached', async () => {
		for (let round = 0; round < 2; round += 1) {
			expect((await get('/docs/guides/nope')).status).toBe(404);
		}
	});

	test('a signed-in caller gets a page of their own, and no other caller gets it afterwards', async () => {
		const [ada, bob] = [await signIn(fixture.server), await signIn(fixture.server)];
		for (const path of PAGES.flatMap((page) => [page, page + DATA])) {
			for (const [one, other] of [
				[ada, bob],
				[bob, ada]
			] as const) {
				const { text } = await get(path, { cookie: one.cookie });
				expect(text).toContain(one.email);
				expect(text).not.toContain(other.email);
			}
			const { text } = await get(path);
			for (const { email } of [ada, bob]) expect(text).not.toContain(email);
		}
	});

	test('R03 with a credential, valid or not, these pages fall under the default limit; without one they do not', async () => {
		const { cookie } = await signIn(fixture.server);
		for (const header of [{ cookie }, { cookie: `postern_session=${'A'.repeat(43)}` }]) {
			const headers = { ...header, 'x-forwarded-for': nextClient() };
			const answers = await Promise.all(times(101, () => get('/docs/guides/web-pages', headers)));
			expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 100, 429: 1 });
			const { cookie: _, ...without } = headers;
			expect((await get('/docs/guides/web-pages', without)).status).toBe(200);
		}
	});

	test('R03 URLs with a query or unusual parts, which may be rendered for each request, are limited too', async () => {
		for (const path of ['/docs/api?q=', `/docs/api${DATA}?x-sveltekit-invalidated=1111&q=`]) {
			const from = { 'x-forwarded-for': nextClient() };
			const answers = await Promise.all(times(101, (index) => get(path + String(index), from)));
			expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 100, 429: 1 });
		}
	});

	test('R03 the same page without a credential or query is never limited', async () => {
		const from = { 'x-forwarded-for': nextClient() };
		const answers = await Promise.all(times(150, () => get('/docs/guides/web-pages', from)));
		expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 150 });
	});
});
