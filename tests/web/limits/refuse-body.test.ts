import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { refuseBody } from '#lib/adapters/web/limits/refuse-body.ts';
import { securityHeaders } from '#lib/adapters/web/security/headers.ts';

const OWN = 'https://id.example.com';
const API = '/api/auth/sign-in/email-otp';
let server: Server | null = null;
afterEach(() => void server?.close());

const answer = async (path: string, origin: string): Promise<Headers> => {
	const refuse = refuseBody(new Map(securityHeaders(true)), new Set([OWN]));
	server = createServer(refuse);
	await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const answered = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { origin } });
	expect(answered.status).toBe(429);
	await answered.text();
	return answered.headers;
};

describe('G04: the answer to a client with too many unfinished bodies', () => {
	test('can be read by scripts of trusted origins, with its Retry-After', async () => {
		const headers = await answer(API, OWN);
		expect(headers.get('access-control-allow-origin')).toBe(OWN);
		expect(headers.get('access-control-allow-credentials')).toBe('true');
		expect(headers.get('access-control-expose-headers')).toContain('Retry-After');
		expect(headers.get('retry-after')).toBe('10');
		expect(headers.get('vary')).toContain('Origin');
	});

	test.each([
		[API, 'https://evil.example'],
		['/auth/sign-in', OWN]
	])('has no CORS header on %s for %s', async (path, origin) => {
		const headers = await answer(path, origin);
		expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
	});
});
