import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { call } from '../../support/http/client.ts';
import { onOneServer } from '../../support/http/fixtures.ts';
import { linksIn } from '../../support/http/html-page.ts';

const DOCUMENT = '/api/auth/openapi.json';

describe('the API reference', () => {
	onOneServer((fixture) => {
		test('is public, linked from other pages, without scripts, and at most 40 KB compressed', async () => {
			const home = await call(fixture.server, '/');
			expect(linksIn(home.text).filter((link) => link.endsWith('/docs'))).toHaveLength(3);
			const page = await call(fixture.server, '/docs');
			expect(page.status).toBe(200);
			expect(page.text).not.toMatch(/<script|modulepreload/);
			expect(linksIn(page.text)).toContain(DOCUMENT);
			expect(gzipSync(page.text).length).toBeLessThanOrEqual(40 * 1024);
		});
	});
});

describe('with DOCS=off', () => {
	onOneServer(
		(fixture) => {
			test.each(['/docs', DOCUMENT])('%s is 404', async (path) => {
				for (const method of ['GET', 'HEAD']) {
					expect((await call(fixture.server, path, { method })).status).toBe(404);
				}
			});

			test('no page links to them', async () => {
				for (const path of ['/', '/contact', '/nothing-here']) {
					expect(linksIn((await call(fixture.server, path)).text).join()).not.toContain('docs');
				}
			});
		},
		{ DOCS: 'off' }
	);
});
