import { createPublicKey, verify, type JsonWebKey } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchUserInfo, refreshTokenGrant } from 'openid-client';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { textOf, type Browser } from '../../support/http/browser.ts';
import { onBothInLongForm, present, type Fixture } from '../../support/http/fixtures.ts';
import { addApplication, aFlow, exchange, type Application } from '../../support/http/oidc.ts';
import { withOwnApp } from '../../support/http/own-app.ts';
import { runScript } from '../../support/process/run-program.ts';

/** An application that gets logout tokens. */
const folder = mkdtempSync(join(tmpdir(), 'postern-oidc-'));
const authority = join(folder, 'authority.pem');
const told: { readonly path: string; readonly token: string }[] = [];
/** How many requests get 500 first. */
let failures = 0;

const pair = await generate([{ name: 'commonName', value: 'localhost' }], {
	extensions: [
		{ name: 'basicConstraints', cA: true },
		{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }
	]
});
writeFileSync(authority, pair.cert);
const server: Server = createServer({ key: pair.private, cert: pair.cert }, (request, response) => {
	let body = '';
	request.on('data', (chunk: Buffer) => (body += chunk.toString()));
	request.on('end', () => {
		const isFailure = failures > 0;
		failures -= 1;
		const token = new URLSearchParams(body).get('logout_token');
		if (!isFailure) told.push({ path: request.url ?? '', token: token ?? '' });
		response.writeHead(isFailure ? 500 : 200).end();
	});
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const application = `https://localhost:${(server.address() as AddressInfo).port}`;
afterAll(() => {
	server.closeAllConnections();
	server.close();
	rmSync(folder, { recursive: true });
});

/** A part of a token. */
const partOf = (text = ''): Record<string, unknown> =>
	JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown>;

const keysOf = async ({ config }: Application) => {
	const answer = await fetch(present(config.serverMetadata().jwks_uri));
	return ((await answer.json()) as { keys: (JsonWebKey & { kid: string })[] }).keys;
};

interface Given {
	readonly browser: Browser;
	readonly email: string;
	readonly sub: string;
	readonly sid: string;
	readonly access: string;
	readonly refresh: string;
}

onBothInLongForm(
	(fixture) => {
		let grafana: Application;
		let tellable: Application;
		beforeAll(async () => {
			grafana = await addApplication(fixture.server);
			tellable = await addApplication(fixture.server, {
				logout: `${application}/${fixture.engine}`
			});
		});

		const signInTo = async (app: Application): Promise<Given> => {
			const { browser, email, ...flow } = await aFlow(fixture.server, app);
			const tokens = await exchange(app, flow);
			const { sub, sid } = present(tokens.claims());
			const [access, refresh] = [tokens.access_token, present(tokens.refresh_token)];
			return { browser, email, sub, sid: String(sid), access, refresh };
		};

		const expectEnded = async (app: Application, given: Given, refusal: object): Promise<void> => {
			await expect(refreshTokenGrant(app.config, given.refresh)).rejects.toMatchObject(refusal);
			await expect(fetchUserInfo(app.config, given.access, given.sub)).rejects.toThrow();
		};

		const endings: Record<string, (given: Given, fixture: Fixture) => Promise<unknown>> = {
			'signing out': async ({ browser }) =>
				browser.submit(await browser.open('/auth/sign-out'), '/auth/sign-out'),
			'blocking the account': ({ email }, { server }) =>
				runScript(server, 'admin', ['block', email, '--yes']),
			'removing the client': (_, { server }) =>
				withOwnApp(server, ({ removeOidcClient }) => removeOidcClient(grafana.id))
		};

		describe('tokens', () => {
			test.each(Object.keys(endings))('end at once by %s', async (how) => {
				const given = await signInTo(grafana);
				await endings[how]?.(given, fixture);
				const isUnknown = how === 'removing the client';
				await expectEnded(grafana, given, isUnknown ? { status: 401 } : { error: 'invalid_grant' });
			});
		});

		describe('applications', () => {
			test('are listed in the settings until they are removed', async () => {
				const given = await signInTo(tellable);
				expect(textOf((await given.browser.open('/settings')).text)).toContain('Applications');
				const answer = await given.browser.submit(
					await given.browser.open('/settings'),
					'?/endApplication'
				);
				expect(answer.headers.location).toBe('/settings#applications');
				expect(textOf((await given.browser.open('/settings')).text)).toContain(
					'The application was removed'
				);
				expect(textOf((await given.browser.open('/settings')).text)).not.toContain('Applications');
			});

			test('are told within seconds that a session has ended, again after a failure', async () => {
				failures = 1;
				const given = await signInTo(tellable);
				await endings['signing out']?.(given, fixture);
				const received = () =>
					told.find(({ token }) => partOf(token.split('.')[1])['sid'] === given.sid);
				await expect.poll(received).toBeDefined();
				const { path, token } = present(received());
				expect(path).toBe(`/${fixture.engine}`);
				const [header = '', payload = '', signature = ''] = token.split('.');
				const { alg, kid, typ } = partOf(header);
				expect([alg, typ]).toEqual(['RS256', 'logout+jwt']);
				const key = present((await keysOf(tellable)).find((one) => one.kid === kid));
				const isSigned = verify(
					'sha256',
					Buffer.from(`${header}.${payload}`),
					createPublicKey({ key, format: 'jwk' }),
					Buffer.from(signature, 'base64url')
				);
				expect(isSigned).toBe(true);
				const { issuer: iss } = tellable.config.serverMetadata();
				expect(partOf(payload)).toMatchObject({
					iss,
					aud: tellable.id,
					sub: given.sub,
					sid: given.sid,
					jti: expect.any(String),
					iat: expect.any(Number),
					exp: expect.any(Number),
					events: { 'http://schemas.openid.net/event/backchannel-logout': {} }
				});
				expect(partOf(payload)).not.toHaveProperty('nonce');
			});
		});
	},
	{
		env: { OIDC: 'on', OIDC_PRIVATE_CLIENTS: 'on', NODE_EXTRA_CA_CERTS: authority }
	}
);
