import { createServer, type Server } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logoutFetch } from '#lib/adapters/web/oidc/logout-fetch.ts';

const POST = { method: 'POST', body: 'logout_token=x' };

describe('telling an application', () => {
	const refused = logoutFetch(false);
	const allowed = logoutFetch(true);
	let server: Server;
	let url: string;
	let status = 200;
	const asked: string[] = [];
	const trusting = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
	beforeAll(async () => {
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

	it.each([
		'https://127.0.0.1/',
		'https://2130706433/',
		'https://0x7f.1/',
		'https://[::1]/',
		'https://[::ffff:10.0.0.1]/',
		'https://[64:ff9b::7f00:1]/',
		'https://10.0.0.1/',
		'https://169.254.169.254/latest/meta-data',
		'https://192.168.1.1/',
		'https://100.64.0.1/',
		'https://0.0.0.0/',
		'https://[fd00::1]/',
		'https://localhost/'
	])('%s is refused', async (address) => {
		await expect(refused(address, POST)).rejects.toThrow('private network');
	});

	it('only https is called', async () => {
		await expect(allowed('http://127.0.0.1/', POST)).rejects.toThrow('not https');
	});

	it('a private address is called if the operator allows it, without reading the answer', async () => {
		expect((await allowed(url, POST)).status).toBe(204);
		expect(asked).toEqual(['POST /logout']);
	});

	it('redirects are not followed', async () => {
		status = 302;
		expect((await allowed(url, POST)).status).toBe(502);
		expect(asked).toEqual(['POST /logout', 'POST /logout']);
	});
});
