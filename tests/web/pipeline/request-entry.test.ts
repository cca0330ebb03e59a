import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { requestEntry } from '../../../src/entry/request-entry.ts';

const OWN = { host: 'auth.example', 'x-own': 'https' };
const admit = requestEntry(OWN, new Map([['x-always', 'yes']]));

/** A socket with a connected client. */
const openSocket = (): Socket =>
	Object.defineProperty(new Socket(), 'remoteAddress', { value: '203.0.113.7' });

const arrive = (
	url: string,
	{ socket = openSocket(), method = 'GET', rawHeaders = [] as readonly string[] } = {}
) => {
	const request = new IncomingMessage(socket);
	Object.assign(request, { url, method });
	request.rawHeaders.push(...rawHeaders);
	for (let at = 0; at < rawHeaders.length; at += 2) {
		request.headers[rawHeaders[at]?.toLowerCase() ?? ''] = rawHeaders[at + 1];
	}
	const response = new ServerResponse(request);
	return { request, response, admitted: admit(request, response) };
};

describe('an incoming request', () => {
	test('R15 ends when its socket is closed', () => {
		const reset = new Socket();
		const closed = openSocket();
		closed.destroy();
		for (const socket of [reset, closed]) {
			const { admitted, response } = arrive('/api/hello', { socket });
			expect([admitted, response.destroyed, response.headersSent]).toEqual([false, true, false]);
		}
	});

	test.each(['http:///api/x', 'http://evil.example/', '*', '', 'app', '.evil.example/app'])(
		'is refused when its target is not a path: %j',
		(target) => {
			const { admitted, response } = arrive(target);
			expect([admitted, response.statusCode]).toEqual([false, 400]);
			expect(response.getHeader('x-always')).toBe('yes');
		}
	);

	test('is refused when its method is TRACE', () => {
		expect(arrive('/', { method: 'TRACE' }).response.statusCode).toBe(400);
	});

	test.each([
		['/api/hello?a=b', '/api/hello?a=b'],
		['/app?a#b?c', '/app?a'],
		['/app/__route.js#', '/app/__route%2ejs'],
		['/app/__route.js', '/app/__route%2ejs'],
		['/app/__route.js?x', '/app/__route%2ejs?x'],
		['/api/x?x-sveltekit-a=1', '/api/x'],
		['/%61pi/x?a=1&%78-sveltekit-a=1&b=2', '/%61pi/x?a=1&b=2'],
		['/api/x?a=%20', '/api/x?a=%20'],
		['/docs/__data.json?x-sveltekit-invalidated=1', '/docs/__data.json?x-sveltekit-invalidated=1']
	])('%s is passed on as %s', (target, passed) => {
		const { admitted, request } = arrive(target);
		expect([admitted, request.url]).toEqual([true, passed]);
	});

	test('has our own headers by name and as a list, without others or those that the framework must not see', () => {
		const rawHeaders = [
			'Host',
			'evil',
			'X-OWN',
			'a',
			'Accept',
			'*/*',
			'x-own',
			'b',
			'Sec-Fetch-Dest',
			'image',
			'__proto__',
			'c'
		];
		const { request } = arrive('/', { rawHeaders });
		expect(request.headers).toEqual({ ...OWN, accept: '*/*' });
		expect(request.rawHeaders).toEqual(['Accept', '*/*', ...Object.entries(OWN).flat()]);
	});
});
