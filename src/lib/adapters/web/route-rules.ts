import type { EndpointRouteId, PageRouteId } from '$app/types';
import { rulesOfOperations } from './api/operation.ts';
import { operations, type DescribedRoute } from './operations.ts';
import { isUnder, withoutGroups } from './http/paths.ts';
import {
	countedAt,
	rulesOfEndpoint,
	rulesOfPage,
	UNMATCHED,
	type EndpointRules,
	type RouteRules
} from './edge/rules.ts';
import { pageRules } from './page-rules.ts';

/*
 * What needs no session: the public pages of `page-rules.ts`, operations whose `session` is not
 * `required`, and the public endpoints below. The guard lets every request under `/api/auth` pass; there,
 * the endpoint of an operation that needs a session answers 401 itself. `npm run routes` lists all.
 */

/**
 * The rules of every endpoint without an operation: one that is no part of the documented API, such as a
 * download or a webhook. To add an endpoint of your own, add one line. `npm run check:types` fails while
 * an endpoint has neither.
 */
export const endpointRules = {
	'/settings/export': {
		access: 'session',
		limit: 'default',
		formOf: '/settings#data'
	},
	'/api/hooks/mail/[provider]': { access: 'public', limit: 'default' },
	// Public if the provider is on. Otherwise like a path that does not exist.
	'/oidc/[...path]': {
		access: 'session',
		limit: 'default',
		skipsSessionCache: true,
		skipsChecks: true
	},
	'/api/[...path]': { access: 'session', limit: 'like-unknown-paths' },
	'/api/auth/[...path]': { access: 'public', limit: 'like-unknown-paths' }
} as const satisfies Record<Exclude<EndpointRouteId, DescribedRoute | PageRouteId>, EndpointRules>;

/** By the path of the route: one that moves to another layout group keeps its rules. */
const rulesByPath: ReadonlyMap<string, RouteRules> = new Map(
	[
		...Object.entries(endpointRules).map(
			([id, rules]) => [id, rulesOfEndpoint(id, rules)] as const
		),
		...[...Map.groupBy(operations, ({ path }) => path)].map(
			([id, all]) => [id, rulesOfOperations(id, all)] as const
		),
		...Object.entries(pageRules).map(([id, rules]) => [id, rulesOfPage(id, rules)] as const)
	].map(([id, rules]) => [withoutGroups(id) || '/', rules])
);

/** What lies below `/operators` is for operators, whatever its own rules say, and hidden from others. */
const FOR_OPERATORS = {
	access: 'operator',
	bucket: UNMATCHED.bucket,
	skipsSessionCache: true,
	looksUnknown: true
} as const satisfies Partial<RouteRules>;

/**
 * The rules of a route. The build does not check types, so a route can have no rules. Then it gets the
 * strictest, but a `(public)` one stays public.
 */
export const rulesOf = (routeId: string | null): RouteRules => {
	if (routeId === null) return UNMATCHED;
	const path = withoutGroups(routeId) || '/';
	const known = rulesByPath.get(path);
	if (isUnder('/operators', path)) return { ...(known ?? UNMATCHED), ...FOR_OPERATORS };
	if (known !== undefined) return known;
	const access = routeId.split('/').includes('(public)') ? 'public' : 'by-path';
	const strict: RouteRules = { ...UNMATCHED, access };
	if (path.includes('[...')) return strict;
	return { ...strict, bucket: path, counted: countedAt(path), looksUnknown: false };
};
