import {
	buildEndSessionUrl,
	fetchUserInfo,
	refreshTokenGrant,
	tokenRevocation
} from 'openid-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { guideSample } from '../../support/files/guide-sample.ts';
import { enterOnPage, UPDATE } from '../../support/http/account.ts';
import { formsOf, openBrowser, textOf } from '../../support/http/browser.ts';
import { newAddress } from '../../support/http/client.ts';
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

onOneServer(
	(fixture) => {
		let grafana: Application;
		let spa: Application;
		beforeAll(async () => {
			grafana = await addApplication(fixture.server, {
				afterLogout: ['https://app.example.org/bye']
			});
			spa = await addApplication(fixture.server, { name: 'A page', isPublic: true });
		});

		/** The whole way of a person with a session. */
		const tokensOf = async (app: Application, parameters = {}) => {
			const flow = await aFlow(fixture.server, app, parameters);
			return { ...flow, tokens: await exchange(app, flow) };
		};

		describe('with openid-client', () => {
			test('a person without a session signs in on the usual page, which names the application', async () => {
				const browser = openBrowser(fixture.server);
				const hint = newAddress();
				const request = await authorize(grafana, { login_hint: hint });
				const started = await browser.open(request.path);
				expect(started.status).toBe(303);
				const page = await follow(browser, present(started.headers.location));
				expect(textOf(page.text)).toContain('Sign in to continue to Grafana');
				expect(formsOf(page.text, '/auth/sign-in')[0]?.fields).toMatchObject({ email: hint });
				// Without JavaScript, the form leads to the application in the end.
				expect(page.headers['content-security-policy']).toContain(
					"form-action 'self' https://app.example.org"
				);
				const entered = await enterOnPage(
					...([fixture.server, browser, hint, present(started.headers.location)] as const)
				);
				const url = back(await follow(browser, present(entered.headers.location)));
				expect(url.origin + url.pathname).toBe(REDIRECT);
				const tokens = await exchange(grafana, { request, url });
				const claims = present(tokens.claims());
				expect(claims).toMatchObject({
					email: hint,
					email_verified: true,
					amr: ['otp'],
					sub: expect.any(String),
					sid: expect.any(String),
					auth_time: expect.any(Number)
				});
				expect(tokens.expires_in).toBe(300);
				const info = await fetchUserInfo(grafana.config, tokens.access_token, claims.sub);
				expect(info).toEqual({ sub: claims.sub, email: hint, email_verified: true });
			});

			test('a person with a session passes through, in a public client too', async () => {
				const { tokens, email } = await tokensOf(spa);
				expect(tokens.claims()).toMatchObject({ email });
				const scope = 'openid offline_access';
				const silent = await tokensOf(grafana, { prompt: 'none', scope });
				expect(Object.keys(present(silent.tokens.claims()))).not.toContain('email');
				// The standard gives this scope only with a consent, which excludes `none`.
				expect(silent.tokens.refresh_token).toBeUndefined();
			});

			test('prompt=consent asks nothing, and prompt=none without a session answers login_required', async () => {
				const { tokens } = await tokensOf(grafana, { prompt: 'consent' });
				expect(tokens.refresh_token).toEqual(expect.any(String));
				const { path } = await authorize(grafana, { prompt: 'none' });
				const url = back(await openBrowser(fixture.server).open(path));
				expect(url.searchParams.get('error')).toBe('login_required');
			});

			test('the settings of the guide for Grafana sign a person in', async () => {
				const ini = guideSample('openid-connect', 'grafana.ini');
				const lines = ini
					.replaceAll('https://auth.example.org', fixture.server.address)
					.split('\n');
				const settings = new Map(lines.map((line) => line.split(' = ') as [string, string]));
				const { authorization_endpoint, token_endpoint, userinfo_endpoint, end_session_endpoint } =
					grafana.config.serverMetadata();
				expect(
					['auth_url', 'token_url', 'api_url', 'signout_redirect_url'].map((name) =>
						settings.get(name)
					)
				).toEqual([
					authorization_endpoint,
					token_endpoint,
					userinfo_endpoint,
					end_session_endpoint
				]);
				const { tokens } = await tokensOf(grafana, { scope: present(settings.get('scopes')) });
				expect(tokens.refresh_token).toEqual(expect.any(String));
			});

			test('the claim name is there once a person has one, and follows its changes', async () => {
				const { tokens, browser } = await tokensOf(grafana);
				const { sub, ...claims } = present(tokens.claims());
				expect(claims).not.toHaveProperty('name');
				const names = async (given: Pick<typeof tokens, 'access_token' | 'refresh_token'>) => {
					const info = await fetchUserInfo(grafana.config, given.access_token, sub);
					const next = await refreshTokenGrant(grafana.config, present(given.refresh_token));
					return { shown: [info.name, next.claims()?.['name']], next };
				};
				await browser.api(UPDATE, { json: { name: 'Ada Lovelace' } });
				const first = await names(tokens);
				expect(first.shown).toEqual(['Ada Lovelace', 'Ada Lovelace']);
				await browser.api(UPDATE, { json: { name: 'Zoë 王' } });
				expect((await names(first.next)).shown).toEqual(['Zoë 王', 'Zoë 王']);
			});

			test('ID tokens are signed with ES256 where the client asks for it', async () => {
				const app = await addApplication(fixture.server, { algorithm: 'ES256' });
				const { tokens } = await tokensOf(app);
				const [header = ''] = present(tokens.id_token).split('.');
				expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toMatchObject({
					alg: 'ES256'
				});
			});

			test('refresh tokens rotate, and using one twice ends all tokens', async () => {
				const { tokens } = await tokensOf(grafana);
				const first = present(tokens.refresh_token);
				const second = await refreshTokenGrant(grafana.config, first);
				const { sub, auth_time, sid } = present(tokens.claims());
				expect(second.claims()).toMatchObject({ sub, auth_time, sid });
				expect(second.refresh_token).not.toBe(first);
				await expect(refreshTokenGrant(grafana.config, first)).rejects.toMatchObject({
					error: 'invalid_grant'
				});
				for (const token of [tokens.access_token, second.access_token]) {
					await expect(fetchUserInfo(grafana.config, token, sub)).rejects.toThrow();
				}
				await expect(
					refreshTokenGrant(grafana.config, present(second.refresh_token))
				).rejects.toMatchObject({ error: 'invalid_grant' });
			});

			test('a code works once, and its second use ends what it gave', async () => {
				const { tokens, request, url } = await tokensOf(grafana);
				await expect(exchange(grafana, { request, url })).rejects.toMatchObject({
					error: 'invalid_grant'
				});
				await expect(
					refreshTokenGrant(grafana.config, present(tokens.refresh_token))
				).rejects.toMatchObject({ error: 'invalid_grant' });
			});

			test('a revoked token ends', async () => {
				const { tokens } = await tokensOf(grafana);
				const refresh = present(tokens.refresh_token);
				await tokenRevocation(grafana.config, refresh);
				await expect(refreshTokenGrant(grafana.config, refresh)).rejects.toMatchObject({
					error: 'invalid_grant'
				});
			});

			test('signing out at the application ends the session here, with its ID token', async () => {
				const { tokens, browser } = await tokensOf(grafana);
				const url = buildEndSessionUrl(grafana.config, {
					id_token_hint: present(tokens.id_token),
					state: 'a state',
					post_logout_redirect_uri: 'https://app.example.org/bye'
				});
				const answer = await browser.open(url.pathname + url.search);
				expect(answer.headers.location).toBe('https://app.example.org/bye?state=a+state');
				expect((await browser.open('/app')).headers.location).toContain('/auth/sign-in');
				await expect(
					refreshTokenGrant(grafana.config, present(tokens.refresh_token))
				).rejects.toMatchObject({ error: 'invalid_grant' });
			});

			test('without its own ID token, the person is asked', async () => {
				const { tokens, browser } = await tokensOf(grafana);
				const other = await signedInBrowser(fixture.server);
				for (const [person, hint] of [
					[browser, {}],
					[other.browser, { id_token_hint: present(tokens.id_token) }]
				] as const) {
					const url = buildEndSessionUrl(grafana.config, hint);
					const answer = await person.open(url.pathname + url.search);
					expect(answer.headers.location).toBe(`${fixture.server.address}/auth/sign-out`);
					expect((await person.open('/app')).status).toBe(200);
				}
			});
		});

		describe('prompts', () => {
			test.each([{ prompt: 'login' }, { max_age: '0' }])(
				'%o asks for a new code, and only that is enough',
				async (parameters) => {
					const { browser, email } = await signedInBrowser(fixture.server);
					const request = await authorize(grafana, parameters);
					const started = await browser.open(request.path);
					const target = present(started.headers.location);
					const page = await follow(browser, target);
					expect(textOf(page.text)).toContain('Sign in to continue to Grafana');
					// The old session does not resume the request.
					const resume = present(new URL(target, 'http://x').searchParams.get('redirectTo'));
					expect((await browser.open(resume)).headers.location).toContain('/auth/sign-in');
					const again = present((await browser.open(request.path)).headers.location);
					const entered = await enterOnPage(fixture.server, browser, email, again);
					const url = back(await follow(browser, present(entered.headers.location)));
					const tokens = await exchange(grafana, { request, url });
					const { auth_time: at = 0, iat } = present(tokens.claims());
					expect(iat - at).toBeLessThan(60);
				}
			);
		});
	},
	{ OIDC: 'on' }
);
