import { describe, expect, test } from 'vitest';
import { rulesOfOperations, type Operation } from '#lib/adapters/web/api/operation.ts';
import { operations } from '#lib/adapters/web/operations.ts';
import { rulesOfEndpoint, rulesOfPage } from '#lib/adapters/web/edge/rules.ts';
import { rulesOf } from '#lib/adapters/web/route-rules.ts';

const [first] = operations;
const operation = (given: Partial<Operation>): Operation => ({ ...first, ...given }) as Operation;

describe('the rules of an endpoint without an operation', () => {
	test.each([
		['/api/notes', 'none', 'none'],
		['/api/notes', 'default', 'all'],
		['/(site)/feed.xml', 'default', 'all'],
		['/[...path]', 'like-unknown-paths', 'by-path']
	] as const)('%s with the limit %s counts: %s', (route, limit, counted) => {
		expect(rulesOfEndpoint(route, { access: 'session', limit }).counted).toBe(counted);
	});

	test('keep its limit and its access, and accept a cached session unless they state otherwise', () => {
		const rules = { access: 'public', limit: 'send' } as const;
		expect(rulesOfEndpoint('/api/(x)/notes', rules)).toMatchObject({
			access: 'public',
			bucket: '/api/notes',
			postLimits: 'send',
			skipsSessionCache: false
		});
		expect(
			rulesOfEndpoint('/api/notes', { ...rules, skipsSessionCache: true }).skipsSessionCache
		).toBe(true);
	});
});

describe('the rules of a route with operations', () => {
	const read = operation({ method: 'GET', session: 'required', limit: 'none' });
	const send = operation({ method: 'POST', session: 'unused', limit: 'send' });

	const notes = (...all: readonly Operation[]) => rulesOfOperations('/api/notes', all);

	test('need a session only if every operation does', () => {
		expect(notes(read).access).toBe('session');
		expect(notes(read, send).access).toBe('public');
		expect(notes(operation({ session: 'optional' })).access).toBe('public');
		// These endpoints check the session themselves.
		expect(rulesOfOperations('/api/auth/notes', [read]).access).toBe('public');
	});

	test('count every request if one operation has a limit, and none if one answers proxies', () => {
		expect(notes(read)).toMatchObject({
			counted: 'none',
			postLimits: 'default',
			answersProxies: false
		});
		const limited = operation({ method: 'GET', limit: 'check' });
		expect(notes(limited, send)).toMatchObject({ counted: 'all', postLimits: 'send' });
		const forProxies = operation({ method: 'GET', answersProxies: true });
		expect(notes(send, forProxies)).toMatchObject({ counted: 'none', answersProxies: true });
	});

	test('count every request under /api/auth, except those of proxies', () => {
		const all: readonly Operation[] = operations;
		const uncounted = all.filter(
			({ path, limit }) => path.startsWith('/api/auth/') && limit === 'none'
		);
		expect(uncounted.filter(({ answersProxies }) => !answersProxies)).toEqual([]);
	});

	test('ignore the session cookie only if no change acts on a session', () => {
		const change = operation({ method: 'POST', session: 'required' });
		expect(notes(read, send).requiresOriginWithCookie).toBe(false);
		expect(notes(send, change).requiresOriginWithCookie).toBe(true);
		expect(notes(operation({ method: 'GET', session: 'unused' })).requiresOriginWithCookie).toBe(
			true
		);
	});

	test('are as strict as the strictest operation', () => {
		const strict = { skipsSessionCache: true, urlHoldsToken: true } as const;
		const lax = { skipsSessionCache: false, urlHoldsToken: false };
		expect(notes(read)).toMatchObject(lax);
		expect(notes(read, operation({ method: 'GET', ...strict }))).toMatchObject(strict);
	});
});

describe('the rules of a page', () => {
	test('keep what they state', () => {
		const rules = rulesOfPage('/(public)/offers', {
			access: 'public',
			actions: { order: 'send' },
			skipsSessionCache: true,
			urlHoldsToken: true,
			hidesEmail: true,
			showsSiteLinks: true
		});
		expect(rules).toEqual({
			access: 'public',
			counted: 'changes',
			bucket: '/offers',
			postLimits: new Map([['order', 'send']]),
			requiresOriginWithCookie: true,
			skipsSessionCache: true,
			urlHoldsToken: true,
			looksUnknown: false,
			hidesEmail: true,
			showsSiteLinks: true
		});
		const plain = rulesOfPage('/notes', { access: 'session' });
		expect(plain.skipsSessionCache).toBe(false);
		expect(plain.urlHoldsToken).toBeUndefined();
	});
});

describe('a route without a record', () => {
	test.each([
		['/api/notes', 'none'],
		['/api/auth/notes', 'all'],
		['/feed.xml', 'changes']
	])('%s counts: %s', (route, counted) => {
		expect(rulesOf(route).counted).toBe(counted);
	});

	test('never uses a cached session, and its path decides its access', () => {
		expect(rulesOf('/notes')).toMatchObject({
			access: 'by-path',
			counted: 'changes',
			requiresOriginWithCookie: true,
			skipsSessionCache: true
		});
	});

	test.each(['/operators', '/operators/notes', '/(public)/operators', '/operators/(public)/notes'])(
		'%s is for operators and hidden from others',
		(route) => {
			expect(rulesOf(route)).toMatchObject({
				access: 'operator',
				bucket: 'unknown',
				looksUnknown: true,
				skipsSessionCache: true
			});
		}
	);

	test('has the rules of the route with the same URL in another layout group', () => {
		expect(rulesOf('/(site)/settings')).toBe(rulesOf('/settings'));
		expect(rulesOf('/')).toBe(rulesOf('/(public)'));
	});
});
