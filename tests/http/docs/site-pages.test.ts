import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { textOf } from '../../support/http/browser.ts';
import { call } from '../../support/http/client.ts';
import { onOneServer } from '../../support/http/fixtures.ts';

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

		test('every page ends with the same links, those of sign-in with the contact alone', async () => {
			for (const path of ['/', '/auth/sign-in', '/docs', '/docs/nothing-there']) {
				const { text } = await call(fixture.server, path, { headers: { accept: 'text/html' } });
				const links = path.startsWith('/auth')
					? /up\s+Contact\s*$/
					: /Changelog\s+Roadmap\s+Contact\s*$/;
				expect(textOf(text)).toMatch(links);
			}
		});
	},
	{ SUPPORT_EMAIL: 'help@example.com' }
);
