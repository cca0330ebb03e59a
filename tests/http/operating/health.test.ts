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
	},
	{},
	{ alone: true }
);
