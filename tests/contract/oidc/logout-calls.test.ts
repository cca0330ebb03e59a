import { createServer, type Server } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { JWK } from 'oidc-provider';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LogoutClient } from '#lib/adapters/web/oidc/logout-worker.ts';
import { makeProvider } from '#lib/adapters/web/oidc/provider.ts';
import type { OidcStore } from '#lib/domain/oidc/ports.ts';
import { aFixture } from '../../support/domain/fixture.ts';
import { anOidcClient } from '../../support/domain/builders.ts';

describe('telling an application', () => {
	let server: Server;
	let url: string;
	let status = 200;
	let keys: JWK[];
	const { oidcSecrets, clock, ids } = aFixture();
	const asked: string[] = [];
	const trusting = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
	beforeAll(async () => {
		keys = JSON.parse(await oidcSecrets.newKeys('key')) as JWK[];
		const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }]);
		server = createServer({ key, cert }, (request, response) => {
			asked.push(`${request.method} ${request.url}`);
			response.writeHead(status, { location: '/elsewhere' });
			// An answer without end. Nobody may wait for it.
			response.write('x'.repeat(1_000_000));
		});
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
		url = `https://localhost:${(server.address() as AddressInfo).port}/logout`;
		process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
	});
	afterAll(() => {
		if (trusting === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
		else process.env.NODE_TLS_REJECT_UNAUTHORIZED = trusting;
		server.closeAllConnections();
		server.close();
	});

	const tell = async (logoutUri: string, mayCallPrivateAddresses = false): Promise<void> => {
		const clients = async () => [anOidcClient({ logoutUri })];
		const oidcStore = { clients } as Partial<OidcStore> as OidcStore;
		const provider = makeProvider(
			{
				oidcStore,
				oidcSecrets,
				clock,
				ids,
				mayCallPrivateAddresses,
				origin: 'https://auth.example.org',
				signInLayout: 'split'
			},
			keys
		);
		const told = (await provider.Client.find('app')) as unknown as LogoutClient;
		await told.backchannelLogout('user', 'grant');
	};

	it('an address in a private network gets no request', async () => {
		const refusal = { cause: { message: expect.stringContaining('special-use') } };
		await expect(tell(url)).rejects.toMatchObject(refusal);
		await expect(tell(url.replace('localhost', '127.0.0.1'))).rejects.toMatchObject(refusal);
		expect(asked).toEqual([]);
	});

	it('a private address is called if the operator allows it, without reading the answer', async () => {
		await tell(url, true);
		expect(asked).toEqual(['POST /logout']);
	});

	it('redirects are not followed', async () => {
		status = 302;
		await expect(tell(url, true)).rejects.toThrow('302');
		expect(asked).toEqual(['POST /logout', 'POST /logout']);
	});
});
