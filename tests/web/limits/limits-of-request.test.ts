import { describe, expect, test } from 'vitest';
import { limitsOf, type LimitedRequest } from '#lib/adapters/web/edge/limits/limits-of-request.ts';
import { actionOf } from '#lib/adapters/web/http/paths.ts';
import { rulesOf } from '#lib/adapters/web/route-rules.ts';

const SEND = '/api/auth/email-otp/send-verification-otp';
const CATCH_ALL = '/api/auth/[...path]';

const charges = (routeId: string | null, given: Partial<LimitedRequest> = {}): string[] =>
	limitsOf({
		method: 'POST',
		rules: rulesOf(routeId),
		pathname: routeId ?? '/',
		action: () => 'default',
		...given
	}).map(({ name, key }) => `${name}: ${key}`);

describe('the limits of an endpoint', () => {
	test.each(['GET', 'HEAD', 'POST', 'PUT', 'QUERY'])('%s counts for the route', (method) => {
		expect(charges('/api/auth/get-session', { method })).toEqual([
			'default: /api/auth/get-session'
		]);
		expect(charges('/api/marketing-consent', { method })).toEqual([
			'default: /api/marketing-consent'
		]);
	});

	test('B09: other methods than POST send nothing and count for the same route', () => {
		for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
			expect(charges(SEND, { method })).toEqual([`default: ${SEND}`]);
		}
	});

	test('B09: preflights have a bucket of their own, which is limited too', () => {
		expect(charges(SEND, { method: 'OPTIONS' })).toEqual([`default: preflight ${SEND}`]);
	});

	test('a page of operators counts like an unknown path', () => {
		expect(charges('/operators', { action: () => 'block' })).toEqual(charges(null));
	});

	test('a group in a route changes nothing', () => {
		expect(charges('/(public)/api/auth/(x)/change-email')).toEqual(
			charges('/api/auth/change-email')
		);
	});

	test('a query that looks like a form action is ignored by an endpoint', () => {
		expect(charges('/api/auth/ok', { action: () => 'request' })).toEqual(['default: /api/auth/ok']);
		expect(charges(SEND, { action: () => 'verify' })).toEqual(charges(SEND));
	});

	test.each(['/api/hello', '/api/authors', '/api/[...path]'])('%s is not limited', (route) => {
		expect(charges(route)).toEqual([]);
		expect(charges(route, { method: 'GET' })).toEqual([]);
	});
});

describe('the limits of a form', () => {
	test.each(['/auth/sign-in', '/auth/sign-up', '/(x)/auth/login', '/checkout/success'])(
		'%s has separate limits for sending, checking and other actions',
		(route) => {
			const path = route.replace('/(x)', '');
			expect(charges(route, { action: () => 'request' })).toEqual([
				`default: ${path}`,
				'send: send'
			]);
			expect(charges(route, { action: () => 'resend' })).toEqual([
				`default: ${path}`,
				'send: send'
			]);
			expect(charges(route, { action: () => 'verify' })).toEqual([
				`default: ${path}`,
				'check: check'
			]);
			expect(charges(route)).toEqual([`default: ${path}`]);
			expect(charges(route, { action: () => 'toString' })).toEqual([`default: ${path}`]);
		}
	);

	test('viewing a page is not limited', () => {
		for (const method of ['GET', 'HEAD', 'OPTIONS']) {
			expect(charges('/auth/sign-in', { method, action: () => 'request' })).toEqual([]);
			// A tab that waits for a code asks here whether it is signed in.
			expect(charges('/app', { method })).toEqual([]);
		}
	});

	test('action names of an application are free: they count for the page alone', () => {
		expect(charges('/quotes', { action: () => 'request' })).toEqual(['default: /quotes']);
		expect(charges('/authors', { action: () => 'request' })).toEqual(['default: /authors']);
	});

	test('R02 every POST counts, for any page; those without a route share one bucket', () => {
		expect(charges('/(public)')).toEqual(['default: ']);
		expect(charges('/(public)/contact')).toEqual(['default: /contact']);
		expect(charges('/blog/[slug]')).toEqual(['default: /blog/[slug]']);
		for (const pathname of ['/', '/nope', '/authors', '/%', '/_app/remote/x']) {
			expect(charges(null, { pathname })).toEqual(['default: unknown']);
			expect(charges(null, { pathname, method: 'DELETE' })).toEqual(['default: unknown']);
			expect(charges(null, { pathname, method: 'GET' })).toEqual([]);
		}
	});

	test.each([
		['?/verify', 'verify'],
		['?/verify=x&/request', 'verify'],
		['?redirectTo=%2Fapp&/verify', 'verify'],
		['?%2Fverify', 'verify'],
		['?x=/request&/verify', 'verify'],
		['?/verify+', 'verify '],
		['?//verify', '/verify'],
		['?/', ''],
		['?verify', 'default'],
		['', 'default']
	])('B09: the query %s selects the action "%s"', (search, action) => {
		expect(actionOf(new URL(`http://localhost/auth/sign-in${search}`).searchParams)).toBe(action);
	});
});

describe('B09: another spelling of a path (GHSA-x732-6j76-qmhm)', () => {
	test.each(['/api/auth/nope', '/api/auth', '/api/auth//ok', '/api/auth/%'])(
		'%s falls into the bucket of all unknown paths',
		(pathname) => {
			for (const routeId of [null, CATCH_ALL, '/api/[...path]', '/[...page]']) {
				expect(charges(routeId, { pathname, method: 'GET' })).toEqual(['default: unknown']);
			}
		}
	);

	test.each([
		'//api/auth/email-otp/send-verification-otp',
		'/API/auth/email-otp/SEND-verification-otp',
		'/api;v=1/auth/ok',
		'/api%2Fauth/ok',
		'/%61pi/%61uth/nope'
	])('%s is not found: a POST counts as to an unknown path, a GET not', (pathname) => {
		expect(charges(null, { pathname })).toEqual(['default: unknown']);
		expect(charges(null, { pathname, method: 'GET' })).toEqual([]);
	});

	test.each(['/AUTH/sign-in', '//auth/sign-in', '/auth/nope', '/Settings;x'])(
		'a POST to %s falls into the bucket of all unknown paths',
		(pathname) => {
			expect(charges(null, { pathname, action: () => 'request' })).toEqual(['default: unknown']);
			expect(charges(null, { pathname, method: 'GET' })).toEqual([]);
		}
	);

	test('a request that the framework routed counts for its route, in any spelling', () => {
		for (const pathname of ['/api/auth/%65mail-otp/x', '/x', '']) {
			expect(charges(SEND, { pathname })).toEqual([`default: ${SEND}`, 'send: send']);
		}
	});
});
