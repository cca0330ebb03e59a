import { expect, test } from 'vitest';
import { call } from '../../support/http/client.ts';
import { onOneServer } from '../../support/http/fixtures.ts';

onOneServer(
	(fixture) => {
		test.each(['/healthz', '/readyz'])(
			'%s answers any caller with one word, and nothing more',
			async (path) => {
				for (const method of ['GET', 'HEAD']) {
					const answer = await call(fixture.server, path, { method });
					expect([answer.status, answer.text]).toEqual([200, method === 'GET' ? 'ok\n' : '']);
					expect(answer.headers['cache-control']).toBe('no-store');
					expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
					expect(answer.setCookies).toEqual([]);
				}
				const posted = await call(fixture.server, path, { method: 'POST', body: 'x' });
				expect([posted.status, posted.headers.allow]).toEqual([405, 'GET, HEAD']);
				expect((await call(fixture.server, `${path}/more`)).status).toBe(303);
			}
		);

		test('monitors may call them every second: no limit and no line in the log', async () => {
			// Lines of other tests’ requests may still arrive; no other test uses this address.
			const headers = { 'x-forwarded-for': '203.0.113.9' };
			const answers = await Promise.all(
				Array.from({ length: 150 }, () => call(fixture.server, '/readyz', { headers }))
			);
			expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
			await call(fixture.server, '/contact', { headers });
			await expect.poll(() => fixture.server.output()).toContain('"route":"/(public)/contact"');
			const lines = fixture.server.output().split('\n');
			expect(lines.filter((line) => line.includes('203.0.113.0/24'))).toHaveLength(1);
		});
	},
	{},
	{ alone: true }
);
