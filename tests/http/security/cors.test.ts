import { expect, test } from 'vitest';
import { call } from '../../support/http/client.ts';
import { onOneServer, present } from '../../support/http/fixtures.ts';

const TRUSTED = 'https://app.example.com';

onOneServer(
	(fixture) => {
		test('G05 pages, their forms and data, assets and static files send no CORS header', async () => {
			const { text } = await call(fixture.server, '/auth/sign-in');
			const [asset] = present(/_app\/immutable\/[\w./-]+\.js/.exec(text));
			for (const path of [
				'/',
				'/app',
				'/auth/sign-in',
				'/auth/sign-in/__data.json',
				'/no-such',
				'/apiary',
				'/favicon.svg',
				`/${asset}`,
				'/_app/no-such.js',
				'/%zz'
			]) {
				for (const options of [
					{ headers: { origin: TRUSTED } },
					{
						method: 'OPTIONS',
						headers: { origin: TRUSTED, 'access-control-request-method': 'POST' }
					}
				]) {
					const { headers } = await call(fixture.server, path, options);
					const cors = Object.keys(headers).filter((name) => name.startsWith('access-control-'));
					expect([cors, path]).toEqual([[], path]);
				}
			}
		});
	},
	{ AUTH_TRUSTED_ORIGINS: TRUSTED }
);
