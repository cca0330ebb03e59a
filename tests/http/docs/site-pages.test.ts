import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openBrowser, textOf } from '../../support/http/browser.ts';
import { call } from '../../support/http/client.ts';
import { onOneServer } from '../../support/http/fixtures.ts';

const THEME = 'postern_theme';

onOneServer(
	(fixture) => {
		test.each(['/contact', '/roadmap', '/changelog'])('%s is public', async (path) => {
			const page = await call(fixture.server, path);
			expect(page.status).toBe(200);
			expect(page.text).toMatch(/<h1[^>]*>(?:Contact|Roadmap|Changelog)<\/h1>/);
		});

		test('/changelog shows every line of CHANGELOG.md as plain text', async () => {
			const { text } = await call(fixture.server, '/changelog');
			const [, article = ''] = /<article([\s\S]*)<\/article>/.exec(text) ?? [];
			const lines = readFileSync('CHANGELOG.md', 'utf8').split(/^- /m).length - 1;
			expect(article.match(/<li\b/g)).toHaveLength(lines);
			expect(textOf(article)).not.toMatch(/`|\*\*|\]\(| \./);
		});

		test('/contact shows the support address', async () => {
			const page = await call(fixture.server, '/contact');
			expect(page.text).toContain('href="mailto:help@example.com"');
		});

		test('the theme follows the system until a visitor chooses one, and then stays', async () => {
			const browser = openBrowser(fixture.server);
			const page = await browser.open('/contact');
			expect(page.text).toContain('data-theme="system"');
			const chosen = await browser.submit(page, '/theme', { theme: 'dark', from: '/contact?a=b' });
			expect([chosen.status, chosen.headers.location]).toEqual([303, '/contact?a=b']);
			// The server renders it, so that no page flashes the other theme first.
			const dark = await browser.open('/auth/sign-in');
			expect(dark.text).toContain('data-theme="dark"');
			expect(dark.text).toMatch(/<button[^>]* value="dark"[^>]* aria-pressed="true"/);
			const again = await browser.submit(dark, '/theme', { theme: 'system', from: '/' });
			expect(again.setCookies.join()).toMatch(new RegExp(`${THEME}=; .*Max-Age=0`));
			expect((await browser.open('/')).text).toContain('data-theme="system"');
		});

		test('H01 O01 any other value, in the form or the cookie, is ignored and redirects to no other site', async () => {
			const browser = openBrowser(fixture.server);
			const page = await browser.open('/');
			const from = '//evil.example/';
			const odd = await browser.submit(page, '/theme', { theme: '"><script>', from });
			expect([odd.status, odd.headers.location]).toEqual([303, '/']);
			for (const value of ['%22%3E%3Cscript%3E', 'DARK', '']) {
				const shown = await call(fixture.server, '/', { headers: { cookie: `${THEME}=${value}` } });
				expect(shown.text).toContain('data-theme="system"');
			}
			expect((await call(fixture.server, '/theme')).headers.location).toBe('/');
		});

		test('every page ends with the same links', async () => {
			for (const path of ['/', '/auth/sign-in', '/docs', '/docs/nothing-there']) {
				const { text } = await call(fixture.server, path, { headers: { accept: 'text/html' } });
				expect(textOf(text)).toMatch(/Changelog\s+Roadmap\s+Contact/);
			}
		});
	},
	{ SUPPORT_EMAIL: 'help@example.com' }
);
