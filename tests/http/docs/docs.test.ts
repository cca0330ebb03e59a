import { describe, expect, test } from 'vitest';
import { openApiDocument } from '#lib/adapters/web/api/openapi/document.ts';
import { apiReference } from '#lib/adapters/web/api/reference/api-reference.ts';
import { guides } from '#lib/ui/docs/guides.ts';
import type { BuiltServer } from '../../support/process/built-server.ts';
import { readHtml, type HtmlPage } from '../../support/http/html-page.ts';
import { call, newAddress } from '../../support/http/client.ts';
import { onOneServer } from '../../support/http/fixtures.ts';
import { runCurl } from '../../support/http/shell-curl.ts';

const GUIDES = guides.map(({ slug }) => `/docs/guides/${slug}`);
const operations = apiReference(
	openApiDocument({
		origin: 'http://localhost:3000',
		secure: false,
		signInLayout: 'split',
		siteName: 'Postern'
	})
).groups.flatMap((group) => group.operations);
const OPERATIONS = operations.map(({ id }) => `/docs/api/${id}`);
const REFERENCE = ['/docs/api/conventions', '/docs/api/errors', '/docs/api/schemas'];
const PAGES = ['/docs', '/docs/api', ...REFERENCE, ...OPERATIONS, ...GUIDES, '/docs/search'];

const openPage = async (server: BuiltServer, path: string): Promise<HtmlPage> => {
	const { status, text } = await call(server, path);
	expect([path, status]).toEqual([path, 200]);
	return readHtml(text);
};

const twice = (values: readonly string[]): string[] =>
	values.filter((value, i) => values.indexOf(value) !== i);

describe('the documentation', () => {
	onOneServer((fixture) => {
		test.each(PAGES)('%s is public, by GET and by HEAD, with every header', async (path) => {
			const got = await call(fixture.server, path);
			const head = await call(fixture.server, path, { method: 'HEAD' });
			for (const { status, headers } of [got, head]) {
				expect(status).toBe(200);
				expect(headers['content-type']).toBe('text/html; charset=utf-8');
				expect(headers['x-content-type-options']).toBe('nosniff');
				expect(headers['content-security-policy']).toMatch(/default-src 'self'/);
				expect(headers['content-security-policy']).not.toMatch(/unsafe-inline|https?:/);
			}
			expect(head.text).toBe('');
		});

		test.each(PAGES)('%s is a valid page', async (path) => {
			const page = await openPage(fixture.server, path);
			expect(twice(page.ids)).toEqual([]);
			expect(page.headings.filter((level) => level === 1)).toHaveLength(1);
			const skipped = page.headings.filter((level, i) => level > (page.headings[i - 1] ?? 0) + 1);
			expect(skipped).toEqual([]);
			expect(page.title.length).toBeGreaterThan(10);
			expect(page.description.length).toBeGreaterThan(20);
		});

		test('no two pages share a title or a description', async () => {
			const pages = await Promise.all(PAGES.map((path) => openPage(fixture.server, path)));
			expect(twice(pages.map(({ title }) => title))).toEqual([]);
			expect(twice(pages.map(({ description }) => description))).toEqual([]);
		});

		test('every link has a target, in a page and between pages', async () => {
			const pages = new Map<string, HtmlPage>();
			for (const path of PAGES) pages.set(path, await openPage(fixture.server, path));
			const dead: string[] = [];
			const elsewhere = new Set<string>();
			for (const [path, { links }] of pages) {
				for (const link of links) {
					const { pathname, hash, origin } = new URL(link, fixture.server.address + path);
					expect(origin, link).toBe(fixture.server.address);
					const target = pages.get(pathname);
					if (target === undefined) elsewhere.add(pathname);
					else if (hash !== '' && !target.ids.includes(hash.slice(1)))
						dead.push(`${path}: ${link}`);
				}
			}
			expect(dead).toEqual([]);
			expect(elsewhere).toContain('/api/auth/openapi.json');
			for (const path of elsewhere) {
				expect([path, (await call(fixture.server, path)).status]).toEqual([path, 200]);
			}
		});

		test('every guide is linked from the first page, and links to its neighbours', async () => {
			const placesIn = async (path: string): Promise<string[]> => {
				const { links } = await openPage(fixture.server, path);
				return links.map((link) => new URL(link, fixture.server.address + path).pathname);
			};
			expect(await placesIn('/docs')).toEqual(expect.arrayContaining(GUIDES));
			for (const [i, path] of GUIDES.entries()) {
				const places = await placesIn(path);
				// Once in the list of all pages, and once more at the end.
				for (const neighbour of [GUIDES[i - 1], GUIDES[i + 1]]) {
					if (neighbour === undefined) continue;
					expect(places.filter((place) => place === neighbour).length).toBeGreaterThanOrEqual(2);
				}
			}
		});

		test.each(PAGES)('%s loads nothing from other sites', async (path) => {
			const { loads } = await openPage(fixture.server, path);
			expect(loads.length).toBeGreaterThan(0);
			const { server } = fixture;
			const foreign = loads.filter(
				(load) => new URL(load, server.address).origin !== server.address
			);
			expect(foreign).toEqual([]);
		});

		test('an unknown page is 404', async () => {
			for (const path of [
				'/docs/guides/no-such-guide',
				'/docs/guides',
				'/docs/api/get-x',
				'/docs/x'
			]) {
				expect([path, (await call(fixture.server, path)).status]).toEqual([path, 404]);
			}
		});

		test('the reference has a page for every operation of the document', async () => {
			const document = (await call(fixture.server, '/api/auth/openapi.json')).json() as {
				paths: Record<string, Record<string, { requestBody?: object }>>;
			};
			const described = Object.entries(document.paths).flatMap(([path, item]) =>
				Object.keys(item).map((method) => ({ path, method }))
			);
			expect(described.length).toBeGreaterThan(15);
			expect(described).toHaveLength(operations.length);
			const index = await openPage(fixture.server, '/docs/api');
			for (const { path, method } of described) {
				const name = path.replace(/^\/api(\/auth)?/, '').replace(/[^a-z0-9]+/g, '-');
				const id = `${method}${name.replace(/-$/, '')}`;
				// The index lists it with the anchor that its section had when all were on one page.
				expect(index.ids).toContain(id);
				const page = await openPage(fixture.server, `/docs/api/${id}`);
				// A command has an example in the place of a parameter.
				const url = `${fixture.server.address}${path.replace(/\{.*/, '')}`;
				expect(page.code[0]?.startsWith('curl')).toBe(true);
				expect(page.code[0]).toContain(url);
			}
			expect(index.ids).toEqual(
				expect.arrayContaining(['conventions', 'errors', 'schema-User', 'error-INVALID_OTP'])
			);
			expect(index.ids).toEqual(expect.arrayContaining(['group-sign-in', 'schemas']));
		});

		test.each(PAGES.filter((path) => !path.startsWith('/docs/search')))(
			'the code of %s is coloured without inline styles',
			async (path) => {
				const { text } = await call(fixture.server, path);
				const blocks = text.match(/<pre\b.*?<\/pre>/gs) ?? [];
				// A list of files and the bare address of the server have no language.
				const plain = blocks.filter((block) => !block.includes('class="code-'));
				const named = plain.map((block) => /aria-label="([^"]*)"/.exec(block)?.[1]);
				for (const label of named)
					expect(['Base URL of this installation', 'Which routes are public']).toContain(label);
				expect(text).not.toMatch(/<(?:pre|code|span)[^>]* style=/);
			}
		);

		test('a search works as a plain form and shows what was typed as text only', async () => {
			const found = await openPage(fixture.server, '/docs/search?q=revoke-session');
			expect(found.links.some((link) => link.endsWith('/api/post-revoke-session'))).toBe(true);
			const { text } = await call(fixture.server, '/docs/search?q=%3Cb%3E%22x');
			expect(text).toContain('value="&lt;b>&quot;x"');
			expect(text).not.toContain('<b>"x');
			const many = await call(fixture.server, '/docs/search?q=code');
			expect(many.text).toMatch(/\d\d results for “code”\. These 12 match best\./);
			const long = await call(fixture.server, `/docs/search?q=${'a'.repeat(3000)}`);
			const kept = 'a'.repeat(100);
			expect(long.text).toContain(`name="q" value="${kept}"`);
			expect(long.text).toContain(`“${kept}”`);
		});

		test('the commands of the quick start create a session', async () => {
			const { code } = await openPage(fixture.server, '/docs');
			const [origin, send = '', signIn = '', getSession = ''] = code;
			expect(origin).toBe(fixture.server.address);
			const email = newAddress();
			const asMe = (command: string): string => command.replace('ada@example.com', email);

			expect(await runCurl(asMe(send))).toEqual({ success: true });
			const otp = await fixture.server.codeFor(email);
			const answer = await runCurl(asMe(signIn).replace('123456', otp));
			expect(answer).toMatchObject({ token: expect.any(String), user: { email } });
			const { token } = answer as { token: string };
			const known = await runCurl(getSession.replace('the token from the response', token));
			expect(known).toMatchObject({ user: { email } });
			expect(await runCurl(getSession)).toBeNull();
		});
	});
});
