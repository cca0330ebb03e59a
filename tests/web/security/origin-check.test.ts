import { describe, expect, test } from 'vitest';
import { judgeOrigin } from '#lib/adapters/web/http/origin.ts';

const trusted = new Set(['https://app.example.com', 'capacitor://localhost', 'http://localhost']);

const judge = (headers: Record<string, string>, requiresOrigin = false, method = 'POST'): string =>
	judgeOrigin({ method, headers: new Headers(headers) }, trusted, () => requiresOrigin);

describe('the origin of a state-changing request (CVE-2024-52289)', () => {
	test.each([
		'https://app.example.com',
		'https://APP.example.com',
		'https://app.example.com:443',
		'capacitor://localhost',
		'CAPACITOR://LOCALHOST',
		'http://localhost'
	])('F05: %s passes', (origin) => expect(judge({ origin })).toBe('pass'));

	test.each([
		'https://evil.example',
		'https://app.example.com.evil.io',
		'https://app.example.com:8443',
		'http://app.example.com',
		'https://app.example.com.',
		'https://user@app.example.com',
		'https://app.example.com\\@evil',
		'https://app.example.com/',
		'https://app.example.com, https://evil.example',
		'https://аpp.example.com',
		'capacitor://localhost.evil',
		'http://localhost:1337',
		'https://localhost',
		'https://appXexample.com',
		'https://example.com',
		'https://a.app.example.com',
		'https://app.example.com%00.evil',
		'http://localhost@evil.example',
		'https://evil.example#http://localhost',
		'ionic://localhost.',
		'file://',
		'*',
		' ',
		''
	])('F01, F05, F06: %j does not pass', (origin) => {
		const encoded = [...new TextEncoder().encode(origin)]
			.map((byte) => String.fromCharCode(byte))
			.join('');
		expect(judge({ origin: encoded })).toBe('invalid_origin');
		expect(judge({ origin: encoded }, true)).toBe('invalid_origin');
	});

	test('F02: a null origin is refused', () => {
		expect(judge({ origin: 'null' })).toBe('missing_or_null_origin');
	});

	test('F03: a program without these headers passes, unless a cookie is its credential', () => {
		expect(judge({})).toBe('pass');
		expect(judge({ 'sec-fetch-mode': 'cors' })).toBe('pass');
		expect(judge({}, true)).toBe('missing_or_null_origin');
	});

	test('F04: the referer counts without an origin', () => {
		expect(judge({ referer: 'https://evil.example/page' })).toBe('invalid_origin');
		expect(judge({ referer: 'https://app.example.com/page?x' }, true)).toBe('pass');
		for (const referer of ['nonsense', 'file:///x', 'about:blank', '']) {
			expect(judge({ referer })).toBe('invalid_origin');
		}
		expect(judge({ origin: 'https://evil.example', referer: 'https://app.example.com/' })).toBe(
			'invalid_origin'
		);
	});

	test('F12: a cross-site fetch without an origin is refused', () => {
		expect(judge({ 'sec-fetch-site': 'cross-site' })).toBe('invalid_origin');
	});

	test('an Expo app uses a header of its own', () => {
		expect(judge({ 'expo-origin': 'https://evil.example' })).toBe('invalid_origin');
		expect(judge({ 'expo-origin': 'https://app.example.com' }, true)).toBe('pass');
	});

	test.each(['GET', 'HEAD', 'OPTIONS'])('%s changes nothing and passes', (method) => {
		expect(judge({ origin: 'https://evil.example' }, true, method)).toBe('pass');
	});
});
