import { describe, expect, test } from 'vitest';
import { isPublic } from '#lib/adapters/web/edge/guard.ts';
import { rulesOf } from '#lib/adapters/web/route-rules.ts';
import type { SignInLayout } from '#lib/sign-in-layouts.ts';

const isOpen = (routeId: string | null, pathname: string, layout: SignInLayout): boolean =>
	isPublic(rulesOf(routeId), { routeId, pathname }, layout);

describe('routes open to unauthenticated requests', () => {
	test.each([
		['/', '/'],
		['/contact', '/contact'],
		['/auth/sign-in', '/auth/sign-in'],
		['/blog/[slug]', '/blog/hello'],
		['/(site)/docs', '/docs'],
		['/(public)/offers', '/offers'],
		['/(a)/(public)/(b)/offers', '/offers'],
		['/api/auth/[...path]', '/api/auth/anything'],
		[null, '/auth/no-such-page'],
		[null, '/blog'],
		[null, '//docs//x']
	])('the route %s at %s is public', (route, path) => {
		expect(isOpen(route, path, 'split')).toBe(true);
		expect(isOpen(route, path, 'single')).toBe(true);
	});

	test.each([
		['/app', '/app'],
		['/authors', '/authors'],
		['/contact/staff', '/contact/staff'],
		['/api/hello', '/api/hello'],
		['/api/authors', '/api/authors'],
		['/[slug]', '/auth'],
		['/app/(public-ish)/x', '/app/x'],
		[null, '/authors'],
		[null, '/no-such-page'],
		[null, '/(public)/x'],
		[null, '/Auth/sign-in']
	])('the route %s at %s is protected', (route, path) => {
		expect(isOpen(route, path, 'split')).toBe(false);
		expect(isOpen(route, path, 'single')).toBe(false);
	});

	test('downloads are public with a single sign-in page only', () => {
		for (const route of ['/download', null]) {
			expect(isOpen(route, '/download', 'single')).toBe(true);
			expect(isOpen(route, '/download', 'split')).toBe(false);
		}
		expect(isOpen(null, '/download/', 'single')).toBe(true);
		expect(isOpen(null, '/download/x', 'single')).toBe(false);
	});
});
