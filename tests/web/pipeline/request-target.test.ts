import type { RouteId } from '$app/types';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mayUseSessionCache } from '#lib/adapters/web/edge/session/load-session.ts';
import { REMOTE_ROUTE, requestTarget } from '#lib/adapters/web/edge/attach-app.ts';
import { rulesOf } from '#lib/adapters/web/route-rules.ts';
import { isApiPath } from '#lib/adapters/web/http/paths.ts';

const SITE = 'https://auth.example';

const target = (
	path: string,
	given: { method?: string; routeId?: string | null; isRemoteRequest?: boolean } = {}
) => {
	const url = new URL(SITE + path);
	const { method = 'GET', routeId = null, isRemoteRequest = false } = given;
	return requestTarget({
		request: new Request(url, { method }),
		route: { id: routeId as RouteId | null },
		url,
		isRemoteRequest
	});
};

describe('the target of a request', () => {
	test('is its route and its path', () => {
		expect(target('/docs/api?x=1', { routeId: '/docs/api' })).toEqual({
			routeId: '/docs/api',
			pathname: '/docs/api',
			isApi: false,
			isRemote: false
		});
	});

	test('R09 is never the page that the client of a remote function claims', () => {
		fc.assert(
			fc.property(fc.webPath(), fc.constantFrom('/docs', '/api/auth/ok', null), (path, routeId) => {
				expect(target(path, { routeId, isRemoteRequest: true })).toEqual({
					routeId: REMOTE_ROUTE,
					pathname: REMOTE_ROUTE,
					isApi: false,
					isRemote: true
				});
			})
		);
	});

	test.each([
		['POST', '/docs?/remote=a%2Fb', true],
		['POST', '/docs?x=1&/remote=a', true],
		['POST', '/docs?%2Fremote=a', true],
		['GET', '/docs?/remote=a', false],
		// An action of this name.
		['POST', '/docs?/remote', false],
		['POST', '/docs?remote=a', false],
		['POST', '/docs', false]
	])('%s %s runs a remote function: %s', (method, path, expected) => {
		expect(target(path, { method, routeId: '/docs' }).isRemote).toBe(expected);
	});

	test('a cached session is never accepted for a remote function', () => {
		const url = new URL('/docs', SITE);
		expect(mayUseSessionCache('GET', rulesOf(REMOTE_ROUTE), url)).toBe(false);
		expect(mayUseSessionCache('GET', rulesOf('/docs'), url)).toBe(true);
		expect(mayUseSessionCache('HEAD', rulesOf('/docs'), url)).toBe(true);
	});
});

describe('an API path', () => {
	test.each(['/api', '/api/hello', '/(public)/api/x', '/(a)/(b)/api'])(
		'is recognised by the route %s',
		(routeId) => {
			expect(isApiPath(routeId, '/anything')).toBe(true);
		}
	);

	test.each(['/docs/api', '/apis', '/API/x', '/[...path]', '/'])(
		'is not recognised by the route %s, in any spelling of the path',
		(routeId) => {
			expect(isApiPath(routeId, '/api%2fhello')).toBe(false);
		}
	);

	test.each([
		'//api/x',
		'/%61pi/x',
		'/%61pi/%zz',
		'/%61%70%69%2f%ff',
		'/api%2fx',
		'/\\api',
		'/%2fapi%5cx'
	])('is recognised by its path when no route matched: %s', (path) => {
		expect(isApiPath(null, path)).toBe(true);
	});

	test.each(['/', '/docs/api', '/apis', '/API', '/api;x/y', '/%2561pi/x', '/api.html', '/%zz'])(
		'is not recognised when no route matched: %s',
		(path) => {
			expect(isApiPath(null, path)).toBe(false);
		}
	);
});
