import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { linksIn, textOf } from '../../support/http/browser.ts';
import { call } from '../../support/http/client.ts';
import { onOneServer } from '../../support/http/fixtures.ts';

onOneServer((fixture) => {
	test('the API reference is public, linked from other pages, without scripts, and at most 40 KB compressed', async () => {
		const home = await call(fixture.server, '/');
		expect(linksIn(home.text).filter((link) => link.endsWith('/docs'))).not.toEqual([]);
		const page = await call(fixture.server, '/docs');
		expect(page.status).toBe(200);
		expect(page.text).not.toMatch(/<script|modulepreload/);
		expect(linksIn(page.text)).toContain('/api/auth/openapi.json');
		expect(gzipSync(page.text).length).toBeLessThanOrEqual(40 * 1024);
	});

	test('/changelog shows every line of CHANGELOG.md as plain text', async () => {
		const { text } = await call(fixture.server, '/changelog');
		const [, article = ''] = /<article([\s\S]*)<\/article>/.exec(text) ?? [];
		const lines = readFileSync('CHANGELOG.md', 'utf8').split(/^- /m).length - 1;
		expect(article.match(/<li\b/g)).toHaveLength(lines);
		expect(textOf(article)).not.toMatch(/`|\*\*|\]\(| \./);
	});
});

describe('with DOCS=off and SUPPORT_EMAIL', () => {
	onOneServer(
		(fixture) => {
			test('no page links to the reference', async () => {
				for (const path of ['/', '/contact', '/nothing-here']) {
					expect(linksIn((await call(fixture.server, path)).text).join()).not.toContain('docs');
				}
			});

			test('/contact shows the support address', async () => {
				const page = await call(fixture.server, '/contact');
				expect(page.text).toContain('href="mailto:help@example.com"');
				expect(page.text).toMatch(/<h1[^>]*>Help<\/h1>/);
			});

			test('pages about the site end with the help and their links, and others with the help alone', async () => {
				for (const path of ['/', '/roadmap', '/auth/sign-in', '/docs/nothing-there']) {
					const { text } = await call(fixture.server, path, { headers: { accept: 'text/html' } });
					const isPublic = path === '/' || path === '/roadmap';
					const links = isPublic ? /\sHelp\s+Changelog\s+Roadmap\s*$/ : /\sHelp\s*$/;
					expect(textOf(text)).toMatch(links);
				}
			});
		},
		{ DOCS: 'off', SUPPORT_EMAIL: 'help@example.com' }
	);
});
