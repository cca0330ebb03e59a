import { once } from 'node:events';
import { connect } from 'node:net';
import { refreshTokenGrant } from 'openid-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { clientUriProblem } from '../../../bin/lib/oidc-verbs.ts';
import { openBrowser, textOf } from '../../support/http/browser.ts';
import { call, newAddress, times, sampled } from '../../support/http/client.ts';
import { enterOnPage } from '../../support/http/account.ts';
import { onOneServer, present } from '../../support/http/fixtures.ts';
import {
	addApplication,
	aFlow,
	authorize,
	back,
	exchange,
	flowIn,
	follow,
	signedInBrowser,
	type Application
} from '../../support/http/oidc.ts';

/** URIs that a careless comparison would take for the registered one, or for a loopback address. */
const NEAR_MISSES = [
	'',
	'https://app.example.org',
	'https://app.example.org/callback/',
	'https://app.example.org/callback?x=1',
	'https://app.example.org/callback#fragment',
	'https://app.example.org/callback/../callback',
	'https://app.example.org/%63allback',
	'https://app.example.org/Callback',
	'https://app.example.org/callback%0d%0aset-cookie:x=1',
	'https://app.example.org\\@evil.test/callback',
	'https://app.example.org@evil.test/callback',
	'https://evil.test/https://app.example.org/callback',
	'https://app.example.org.evil.test/callback',
	'https://APP.example.org/callback',
	'https://app.example.org:443/callback',
	'http://app.example.org/callback',
	'//app.example.org/callback',
	'/callback',
	'https:app.example.org/callback',
	' https://app.example.org/callback',
	'https://аpp.example.org/callback',
	'javascript:alert(1)//https://app.example.org/callback',
	'http://127.0.0.1/callback',
	'http://localhost/callback'
];

onOneServer(
	(fixture) => {
		let grafana: Application;
		let wiki: Application;
		let native: Application;
		beforeAll(async () => {
			grafana = await addApplication(fixture.server);
			wiki = await addApplication(fixture.server, { name: 'Wiki' });
			native = await addApplication(fixture.server, {
				redirects: ['http://127.0.0.1/callback', 'com.example.app:/callback'],
				isPublic: true
			});
		});

		const changed = (path: string, change: (query: URLSearchParams) => void): string => {
			const url = new URL(path, 'http://x');
			change(url.searchParams);
			return url.pathname + url.search;
		};

		/** A code for a person with a session. */
		const codeFor = (app: Application) => aFlow(fixture.server, app);
		const refusal = { error: 'invalid_grant' };

		test('HEAD has an answer without a fault, and no code is issued for it', async () => {
			const { browser } = await signedInBrowser(fixture.server);
			const { path } = await authorize(grafana);
			const head = { method: 'HEAD' };
			const from = fixture.server.output().length;
			const asked = [
				await call(fixture.server, '/oidc/.well-known/openid-configuration', head),
				await call(fixture.server, '/oidc/jwks', head),
				await browser.api(path, head)
			];
			expect(asked.map(({ status }) => status)).toEqual([200, 200, 405]);
			// The library's handler ends after the answer.
			await call(fixture.server, '/readyz');
			expect(fixture.server.output().slice(from)).not.toContain('fault');
		});

		describe('redirect URIs', () => {
			test('every near miss gets a page and no redirect, also when the request has other errors', async () => {
				const { browser } = await signedInBrowser(fixture.server);
				const { path } = await authorize(grafana);
				const others = [{}, { response_type: 'token' }, { prompt: 'none' }, { scope: 'x"' }];
				const all = NEAR_MISSES.flatMap((uri) => others.map((extra) => ({ uri, extra })));
				for (const { uri, extra } of sampled(all, 3)) {
					const wrong = changed(path, (query) => {
						query.set('redirect_uri', uri);
						for (const [name, value] of Object.entries(extra)) query.set(name, value);
					});
					const { status, headers, text } = await browser.open(wrong);
					expect([uri, status, headers.location]).toEqual([uri, 400, undefined]);
					expect(textOf(text)).toContain('Tell the people who run it');
					expect(text).not.toContain('evil');
				}
			});

			test('a program on a device may choose the port, and nothing else', async () => {
				const { browser } = await signedInBrowser(fixture.server);
				const location = async (uri: string): Promise<string | undefined> => {
					const { path } = await authorize(native, { redirect_uri: uri });
					return (await browser.open(path)).headers.location;
				};
				expect(await location('http://127.0.0.1:51234/callback')).toMatch(
					/^http:\/\/127\.0\.0\.1:51234\/callback\?code=/
				);
				expect(await location('com.example.app:/callback')).toMatch(
					/^com\.example\.app:\/callback\?code=/
				);
				for (const uri of [
					'http://127.0.0.1:51234/other',
					'http://127.0.0.2:51234/callback',
					'http://127.0.0.1.evil.test:51234/callback',
					'http://127.0.0.1:51234@evil.test/callback',
					'http://evil@127.0.0.1:51234/callback',
					'http://[::1]:51234/callback',
					'http://localhost:51234/callback',
					'https://127.0.0.1:51234/callback',
					'com.example.app://evil.test/callback',
					'com.example.app2:/callback'
				]) {
					expect([uri, await location(uri)]).toEqual([uri, undefined]);
				}
			});

			test.each([
				['https://*.example.org/callback', false],
				['https://app.example.org/#here', false],
				['https://ada@app.example.org/', false],
				['https://APP.example.org/', false],
				['http://app.example.org/', false],
				['myapp:/callback', true],
				['javascript:alert(1)', true],
				['com.example.app:/callback', false],
				['https://localhost/callback', true],
				['https://127.0.0.1:8443/callback', true]
			])('the operator cannot register %s', (uri, isPublic) => {
				expect(clientUriProblem(uri, { isPublic, isNative: isPublic })).not.toBeNull();
			});
		});

		describe('codes and tokens', () => {
			test('a code is refused with another verifier, from another client, and then for its own', async () => {
				const injected = await codeFor(grafana);
				const other = await authorize(grafana);
				const verifier = { pkceCodeVerifier: other.verifier };
				await expect(exchange(grafana, injected, verifier)).rejects.toMatchObject(refusal);
				const pasted = await codeFor(grafana);
				await expect(exchange(wiki, pasted)).rejects.toMatchObject(refusal);
				await expect(exchange(grafana, pasted)).resolves.toBeDefined();
			});

			test('a refresh token is refused for another client', async () => {
				const { refresh_token: token } = await exchange(grafana, await codeFor(grafana));
				const stolen = refreshTokenGrant(wiki.config, present(token));
				await expect(stolen).rejects.toMatchObject(refusal);
			});

			test('a response names its issuer, and the client refuses one of another, against mix-up', async () => {
				const flow = await codeFor(grafana);
				expect(flow.url.searchParams.get('iss')).toBe(`${fixture.server.address}/oidc`);
				flow.url.searchParams.set('iss', 'https://evil.test/oidc');
				await expect(exchange(grafana, flow)).rejects.toMatchObject({
					cause: { message: expect.stringContaining('iss') }
				});
			});

			test.each(['token', 'id_token', 'code id_token', 'code token', 'none'])(
				'the response type %s is refused',
				async (type) => {
					const { path } = await authorize(grafana, { response_type: type });
					const { headers } = await openBrowser(fixture.server).open(path);
					expect(headers.location).toMatch(
						/[?#]error=(?:unsupported_response_type|invalid_request)&/
					);
				}
			);

			test('PKCE is required, and only S256', async () => {
				const { browser } = await signedInBrowser(fixture.server);
				const { path } = await authorize(grafana);
				for (const change of [
					(query: URLSearchParams) => query.delete('code_challenge'),
					(query: URLSearchParams) => query.set('code_challenge_method', 'plain'),
					(query: URLSearchParams) => query.delete('code_challenge_method')
				]) {
					const url = back(await browser.open(changed(path, change)));
					expect(url.searchParams.get('error')).toBe('invalid_request');
				}
			});

			test('what is not offered does not exist', async () => {
				const { server } = fixture;
				const { json } = await call(server, '/oidc/.well-known/openid-configuration');
				expect(json()).toMatchObject({
					grant_types_supported: ['authorization_code', 'refresh_token'],
					response_types_supported: ['code'],
					response_modes_supported: ['query'],
					code_challenge_methods_supported: ['S256'],
					id_token_signing_alg_values_supported: expect.arrayContaining(['RS256', 'ES256'])
				});
				for (const path of [
					'/reg',
					'/request',
					'/device',
					'/device/auth',
					'/backchannel',
					'/introspect',
					'/TOKEN',
					'/logout/confirm',
					'/logout/success',
					`/auth/${'x'.repeat(43)}`,
					''
				]) {
					const { status } = await call(server, `/oidc${path}`, { method: 'POST', body: 'x=1' });
					expect([path, status]).toEqual([path, 404]);
				}
			});
		});

		describe('the browser', () => {
			test('CSRF: what an attacker began ends at the application, which did not begin it there', async () => {
				const { path } = await authorize(grafana);
				const page = present((await openBrowser(fixture.server).open(path)).headers.location);
				const victim = openBrowser(fixture.server);
				const entered = await enterOnPage(fixture.server, victim, newAddress(), page);
				const url = back(await follow(victim, present(entered.headers.location)));
				const request = await authorize(grafana);
				await expect(exchange(grafana, { request, url })).rejects.toMatchObject({
					cause: { message: expect.stringContaining('state') }
				});
			});

			test('the sign-in page lets forms lead to registered URIs only', async () => {
				const { path } = await authorize(grafana, { redirect_uri: 'https://evil.test/' });
				const query = new URLSearchParams({ redirectTo: path });
				const { status, headers } = await openBrowser(fixture.server).open(
					`/auth/sign-in?${query}`
				);
				expect(status).toBe(200);
				expect(headers['content-security-policy']).not.toContain('evil.test');
			});

			test('another person in the same browser is never signed in as the first', async () => {
				const { browser, email } = await signedInBrowser(fixture.server);
				const first = await exchange(grafana, await flowIn(browser, grafana));
				expect(first.claims()?.email).toBe(email);
				const session = present(browser.cookie('postern_session'));
				const other = newAddress();
				browser.plant('postern_session', '');
				await enterOnPage(fixture.server, browser, other);
				const second = await exchange(grafana, await flowIn(browser, grafana));
				expect(second.claims()?.email).toBe(other);
				expect(session).not.toBe(browser.cookie('postern_session'));
			});

			test('after a sign-out, nobody is signed in silently', async () => {
				const { browser } = await signedInBrowser(fixture.server);
				await exchange(grafana, await flowIn(browser, grafana));
				await browser.submit(await browser.open('/auth/sign-out'), '/auth/sign-out');
				const { path } = await authorize(grafana, { prompt: 'none' });
				const url = back(await browser.open(path));
				expect(url.searchParams.get('error')).toBe('login_required');
			});

			test('no page can be framed, and Host and forwarded headers change no URL', async () => {
				const { path } = await authorize(grafana);
				const wrong = changed(path, (query) => query.set('redirect_uri', 'https://evil.test/'));
				for (const one of [path, wrong, '/oidc/logout', '/oidc/jwks']) {
					const { headers } = await openBrowser(fixture.server).open(one);
					expect(headers['x-frame-options']).toBe('DENY');
					expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
				}
				const { text } = await call(fixture.server, '/oidc/.well-known/openid-configuration', {
					headers: {
						host: 'evil.test',
						'x-forwarded-host': 'evil.test',
						'x-forwarded-proto': 'ftp'
					}
				});
				expect(text).not.toContain('evil.test');
				expect(text).toContain(`"issuer":"${fixture.server.address}/oidc"`);
			});

			test('only pages of a client can read what its endpoints answer', async () => {
				const flow = await codeFor(grafana);
				const { access_token: token } = await exchange(grafana, flow);
				const from = async (origin: string): Promise<readonly unknown[]> => {
					const headers = { origin, authorization: `Bearer ${token}` };
					const answer = await call(fixture.server, '/oidc/userinfo', { headers });
					return [answer.status, answer.headers['access-control-allow-origin']];
				};
				expect(await from('https://app.example.org')).toEqual([200, 'https://app.example.org']);
				expect(await from('https://evil.test')).toEqual([400, undefined]);
			});

			test('G02: a client with a redirect URI of its own scheme does not open them to `null`', async () => {
				const parameters = { redirect_uri: 'com.example.app:/callback' };
				const flow = await aFlow(fixture.server, native, parameters);
				const { access_token: token } = await exchange(native, flow);
				const headers = { origin: 'null', authorization: `Bearer ${token}` };
				const answer = await call(fixture.server, '/oidc/userinfo', { headers });
				expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
				expect(answer.status).toBe(400);
			});

			test('a sign-out leads only to registered URIs', async () => {
				const query = `client_id=${grafana.id}&post_logout_redirect_uri=https://evil.test/`;
				const { status, headers } = await openBrowser(fixture.server).open(`/oidc/logout?${query}`);
				// The person still wants to sign out.
				expect([status, headers.location]).toEqual([303, '/auth/sign-out']);
				const plain = await call(
					fixture.server,
					'/oidc/logout?post_logout_redirect_uri=//evil.test'
				);
				expect(plain.headers.location).toBe(`${fixture.server.address}/`);
			});
		});

		describe('limits', () => {
			const from = (client: string) => ({ 'x-forwarded-for': client });
			const token = (app: Application, secret: string, client: string) =>
				call(fixture.server, '/oidc/token', {
					method: 'POST',
					body: 'grant_type=refresh_token&refresh_token=x',
					headers: {
						...from(client),
						authorization: `Basic ${Buffer.from(`${app.id}:${secret}`).toString('base64')}`,
						'content-type': 'application/x-www-form-urlencoded'
					}
				});

			test('a client with its secret is never limited, also beside others at its address', async () => {
				const client = '198.51.100.77';
				const wrong = await Promise.all(times(110, () => token(grafana, 'wrong', client)));
				const limited = wrong.filter(({ status }) => status === 429);
				expect(limited).toHaveLength(10);
				expect(limited[0]?.headers).toMatchObject({
					'retry-after': expect.stringMatching(/^\d+$/)
				});
				expect(limited[0]?.json()).toMatchObject({ error: 'temporarily_unavailable' });
				const right = await Promise.all(
					times(110, () => token(grafana, present(grafana.secret), client))
				);
				expect(new Set(right.map(({ status }) => status))).toEqual(new Set([400]));
			});

			test('people at one address are not limited by each other', async () => {
				const { path } = await authorize(grafana);
				const [ada, grace] = times(2, () => signedInBrowser(fixture.server));
				const asks = async (person: typeof ada, count: number) => {
					const cookie = (await present(person)).browser.cookies();
					const headers = { ...from('198.51.100.76'), cookie };
					const answers = times(count, () => call(fixture.server, path, { headers }));
					return (await Promise.all(answers)).filter(({ status }) => status === 429).length;
				};
				expect([await asks(ada, 101), await asks(grace, 5)]).toEqual([1, 0]);
			});

			test('A16: over the limit of a client, the form of a browser is not read', async () => {
				const { path } = await authorize(grafana);
				const client = '192.0.2.76';
				const answers = times(101, () => call(fixture.server, path, { headers: from(client) }));
				expect((await Promise.all(answers)).filter(({ status }) => status === 429)).toHaveLength(1);
				// The body of this form never arrives.
				const { hostname, port } = new URL(fixture.server.address);
				const socket = connect(Number(port), hostname);
				socket.write(
					`POST /oidc/logout HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${client}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 9\r\n\r\n`
				);
				const [answer] = (await once(socket, 'data')) as [Buffer];
				socket.destroy();
				expect(String(answer)).toMatch(/^HTTP\/1\.1 429 /);
			});

			test('a store that fails is 503 for a program, in the form of the standard', async () => {
				await fixture.database.rows('alter table oidc_client rename to oidc_client_gone');
				const answer = await token(grafana, present(grafana.secret), '198.51.100.79');
				await fixture.database.rows('alter table oidc_client_gone rename to oidc_client');
				expect([answer.status, answer.json()]).toMatchObject([503, { error: 'server_error' }]);
			});

			test('userinfo with a valid token is not limited, and without one it is', async () => {
				const client = '198.51.100.78';
				const { access_token: valid } = await exchange(grafana, await codeFor(grafana));
				const ask = (value: string) =>
					call(fixture.server, '/oidc/userinfo', {
						headers: { ...from(client), authorization: `Bearer ${value}` }
					});
				const wrong = await Promise.all(times(101, () => ask('x'.repeat(43))));
				expect(wrong.filter(({ status }) => status === 429)).toHaveLength(1);
				const post = () =>
					call(fixture.server, '/oidc/userinfo', {
						method: 'POST',
						headers: { ...from(client), 'content-type': 'application/x-www-form-urlencoded' },
						body: `access_token=${valid}`
					});
				const right = await Promise.all(times(20, (n) => (n % 2 ? post() : ask(valid))));
				expect(new Set(right.map(({ status }) => status))).toEqual(new Set([200]));
			});
		});
	},
	{ OIDC: 'on' }
);
