import { expect, test } from 'vitest';
import { call, times, type Answer } from '../../support/http/client.ts';
import { onBothDatabases, present } from '../../support/http/fixtures.ts';
import { addApplication, aFlow, REDIRECT } from '../../support/http/oidc.ts';

onBothDatabases(
	(fixture) => {
		test('of concurrent uses of a code, and of a refresh token, on two instances one succeeds at most', async () => {
			const app = await addApplication(fixture.server);
			const authorization = `Basic ${btoa(`${app.id}:${present(app.secret)}`)}`;
			const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' };
			const race = (fields: Readonly<Record<string, string>>): Promise<Answer[]> =>
				Promise.all(
					times(20, (n) =>
						call(n % 2 === 0 ? fixture.server : fixture.other, '/oidc/token', {
							method: 'POST',
							headers,
							body: `${new URLSearchParams(fields)}`
						})
					)
				);
			const codeOf = async () => {
				const { request, url } = await aFlow(fixture.server, app);
				return {
					grant_type: 'authorization_code',
					redirect_uri: REDIRECT,
					code: present(url.searchParams.get('code')),
					code_verifier: request.verifier
				};
			};
			const exchanged = await race(await codeOf());
			const given = exchanged.filter(({ status }) => status === 200);
			expect(given.length).toBeLessThanOrEqual(1);
			const one = await call(fixture.server, '/oidc/token', {
				method: 'POST',
				headers,
				body: `${new URLSearchParams(await codeOf())}`
			});
			const { refresh_token: token } = one.json() as { refresh_token: string };
			const refreshed = await race({ grant_type: 'refresh_token', refresh_token: token });
			expect(refreshed.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
			expect(new Set([...exchanged, ...refreshed].map(({ status }) => status))).toContain(400);
		});
	},
	{ processes: 2, env: { OIDC: 'on' } }
);
