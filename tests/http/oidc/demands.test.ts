import { fetchUserInfo, refreshTokenGrant, tokenRevocation } from 'openid-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { call, type Answer } from '../../support/http/client.ts';
import { onOneServer, present } from '../../support/http/fixtures.ts';
import {
	addApplication,
	aFlow,
	authorize,
	back,
	exchange,
	follow,
	signedInBrowser,
	REDIRECT,
	type Application
} from '../../support/http/oidc.ts';

// What the specifications demand, as far as no sign-in and no attack shows it.
onOneServer(
	(fixture) => {
		let grafana: Application;
		let wiki: Application;
		beforeAll(async () => {
			grafana = await addApplication(fixture.server);
			wiki = await addApplication(fixture.server, { name: 'Wiki' });
		});

		const flowOf = (app: Application, parameters = {}) => aFlow(fixture.server, app, parameters);
		const errorOf = (answer: Answer): string | null => back(answer).searchParams.get('error');
		const post = (path: string, fields: Readonly<Record<string, string>>, headers = {}) =>
			call(fixture.server, path, {
				method: 'POST',
				headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
				body: `${new URLSearchParams(fields)}`
			});
		const basic = ({ id }: Application, secret: string | null) => ({
			authorization: `Basic ${btoa(`${id}:${secret}`)}`
		});

		describe('an authorization request', () => {
			test('can be posted, and what it need not mean changes nothing', async () => {
				const { browser } = await signedInBrowser(fixture.server);
				const unused = { display: 'popup', ui_locales: 'de fr', acr_values: '1', unknown: 'x' };
				const { path } = await authorize(grafana, unused);
				const url = new URL(path, fixture.server.address);
				const posted = await post(url.pathname, Object.fromEntries(url.searchParams));
				expect(posted.status).toBe(303);
				const answer = await follow(browser, present(posted.headers.location));
				expect(back(answer).searchParams.get('code')).toEqual(expect.any(String));
			});

			test('is refused with a request object or a parameter twice, by an answer with the issuer', async () => {
				const { browser } = await signedInBrowser(fixture.server);
				const { path } = await authorize(grafana);
				for (const [added, error] of [
					['request=e30.e30.', 'request_not_supported'],
					['request_uri=https://app.example.org/request', 'request_uri_not_supported'],
					['scope=openid', 'invalid_request'],
					['prompt=none&prompt=login', 'invalid_request']
				] as const) {
					const answer = await browser.open(`${path}&${added}`);
					expect([added, errorOf(answer)]).toEqual([added, error]);
					expect(back(answer).searchParams.get('iss')).toBe(`${fixture.server.address}/oidc`);
				}
			});

			test('with the ID token of somebody else needs a sign-in', async () => {
				const flow = await flowOf(grafana);
				const { id_token: token } = await exchange(grafana, flow);
				const other = await signedInBrowser(fixture.server);
				const hint = { id_token_hint: present(token), prompt: 'none' };
				const { path } = await authorize(grafana, hint);
				expect(errorOf(await other.browser.open(path))).toBe('login_required');
				expect(errorOf(await flow.browser.open(path))).toBeNull();
			});

			test('can be read by no script, and its URL reaches no other site', async () => {
				const { browser } = await signedInBrowser(fixture.server);
				const { path } = await authorize(grafana);
				const answer = await browser.api(path, { headers: { origin: 'https://app.example.org' } });
				expect(answer.headers['access-control-allow-origin']).toBeUndefined();
				expect(answer.headers['referrer-policy']).toBe('strict-origin-when-cross-origin');
			});
		});

		describe('codes and tokens', () => {
			test('a code is refused for another redirect URI, and after ten minutes', async () => {
				const flow = await flowOf(grafana);
				const url = new URL(flow.url.href.replace('/callback', '/other'));
				const refusal = { error: 'invalid_grant' };
				await expect(exchange(grafana, { ...flow, url })).rejects.toMatchObject(refusal);
				const late = await flowOf(grafana);
				await fixture.server.shiftClock(10 * 60);
				await expect(exchange(grafana, late)).rejects.toMatchObject(refusal);
				await fixture.server.shiftClock(0);
			});

			test('a code is refused without its verifier', async () => {
				const { url } = await flowOf(grafana);
				const code = present(url.searchParams.get('code'));
				const fields = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT };
				const answer = await post('/oidc/token', fields, basic(grafana, grafana.secret));
				expect(answer.json()).toMatchObject({ error: 'invalid_grant' });
			});

			test('a refresh cannot get more than was asked for, and no response may be stored', async () => {
				const flow = await flowOf(grafana, { scope: 'openid offline_access' });
				const { refresh_token: token } = await exchange(grafana, flow);
				const more = refreshTokenGrant(grafana.config, present(token), { scope: 'openid email' });
				await expect(more).rejects.toMatchObject({ error: 'invalid_scope' });
				const fields = { grant_type: 'refresh_token', refresh_token: present(token) };
				const answer = await post('/oidc/token', fields, basic(grafana, grafana.secret));
				expect(answer.headers['cache-control']).toBe('no-store');
				expect(answer.json()).toMatchObject({
					token_type: 'Bearer',
					scope: 'openid offline_access'
				});
			});

			test('a wrong secret or token is 401 with a challenge, and no password is accepted', async () => {
				const fields = { grant_type: 'password', username: 'ada', password: 'x' };
				const right = await post('/oidc/token', fields, basic(grafana, grafana.secret));
				expect(right.json()).toMatchObject({ error: 'unsupported_grant_type' });
				const wrong = await post('/oidc/token', fields, basic(grafana, wiki.secret));
				expect([wrong.status, wrong.json()]).toMatchObject([401, { error: 'invalid_client' }]);
				expect(wrong.headers['www-authenticate']).toMatch(/^Basic /);
				const info = await call(fixture.server, '/oidc/userinfo', {
					headers: { authorization: 'Bearer wrong' }
				});
				expect(info.status).toBe(401);
				expect(info.headers['www-authenticate']).toContain('error="invalid_token"');
			});

			test('revoking a token of another client, or none, changes nothing', async () => {
				const { access_token: token, claims } = await exchange(grafana, await flowOf(grafana));
				await tokenRevocation(wiki.config, token).catch(() => undefined);
				await tokenRevocation(wiki.config, 'x'.repeat(43));
				const sub = present(claims()).sub;
				expect(await fetchUserInfo(grafana.config, token, sub)).toMatchObject({ sub });
			});

			test('the database has no token', async () => {
				const flow = await flowOf(grafana);
				const { access_token, refresh_token } = await exchange(grafana, flow);
				const rows = JSON.stringify(await fixture.database.rows('select * from oidc_record'));
				for (const text of [flow.url.searchParams.get('code'), access_token, refresh_token]) {
					expect(rows).not.toContain(present(text));
				}
			});
		});

		test('a sign-out can be posted', async () => {
			const { browser, ...flow } = await flowOf(grafana);
			const { id_token: token } = await exchange(grafana, flow);
			const posted = await post('/oidc/logout', { id_token_hint: present(token) });
			expect((await browser.open('/app')).status).toBe(200);
			await browser.open(present(posted.headers.location));
			expect((await browser.open('/app')).status).toBe(303);
		});
	},
	{ OIDC: 'on' }
);
