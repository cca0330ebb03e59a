import { operations } from '../api/operations/all.ts';
import type { Operation } from '../api/operation.ts';
import type { LimitName } from '../limits/client-limits.ts';
import { API, AUTH_API, isUnder, withoutGroups } from '../security/route-path.ts';
import { endpointRules, type EndpointRules } from './endpoint-rules.ts';
import { pageRules, type PageRules } from './page-rules.ts';

/**
 * What a route needs, in one form for pages and endpoints. `by-path` means that no record names the
 * route, or that a request matched none. The path then decides.
 */
export interface RouteRules {
	readonly access: 'public' | 'session' | 'by-path';
	/** The requests that count against the default limit. */
	readonly counted: 'all' | 'changes' | 'none' | 'by-path';
	/** The default limit counts each bucket separately. */
	readonly bucket: string;
	/** The limit of a POST to an endpoint, or the limits of a page's form actions by name. */
	readonly post: LimitName | ReadonlyMap<string, LimitName>;
	/** False if a session cookie has no effect on state-changing requests. */
	readonly actsOnSession: boolean;
	/** Whether reading never uses a cached session. */
	readonly readsStore: boolean;
	readonly renderedOnce: boolean;
	readonly urlHoldsToken: boolean;
}

/** The bucket of all requests that match no route. */
const UNMATCHED_BUCKET = 'unknown';

const UNMATCHED: RouteRules = {
	access: 'by-path',
	counted: 'by-path',
	bucket: UNMATCHED_BUCKET,
	post: 'default',
	actsOnSession: true,
	readsStore: false,
	renderedOnce: false,
	urlHoldsToken: false
};

const ofPage = (routeId: string, rules: PageRules): RouteRules => ({
	access: rules.access,
	counted: 'changes',
	bucket: withoutGroups(routeId),
	post: new Map(Object.entries(rules.actions ?? {})),
	actsOnSession: true,
	readsStore: rules.readsStore ?? false,
	renderedOnce: rules.renderedOnce ?? false,
	urlHoldsToken: rules.urlHoldsToken ?? false
});

const ofEndpoint = (routeId: string, { access, limit, readsStore }: EndpointRules): RouteRules => ({
	...UNMATCHED,
	access,
	...(limit === 'unmatched'
		? {}
		: {
				counted: limit === null ? 'none' : 'all',
				bucket: withoutGroups(routeId),
				post: limit ?? 'default'
			}),
	readsStore: readsStore ?? false
});

/**
 * The rules of a route with one or more operations. The guard lets unauthenticated callers pass if
 * any operation does; each endpoint checks its own. For everything else the strictest decides.
 */
const ofOperations = (routeId: string, all: readonly Operation[]): RouteRules => {
	const changes = all.filter(({ method }) => method === 'POST');
	const limits = changes.map(({ limit }) => limit);
	const isOpen = isUnder(AUTH_API, routeId) || all.some(({ session }) => session !== 'required');
	return {
		access: isOpen ? 'public' : 'session',
		counted: all.some(({ limit }) => limit !== null) ? 'all' : 'none',
		bucket: routeId,
		post: limits.find((limit) => limit !== null) ?? 'default',
		actsOnSession: changes.length === 0 || changes.some(({ session }) => session !== 'unused'),
		readsStore: all.some(({ readsStore }) => readsStore),
		renderedOnce: false,
		urlHoldsToken: all.some(({ urlHoldsToken }) => urlHoldsToken)
	};
};

const rulesByRoute = new Map<string, RouteRules>([
	...Object.entries(endpointRules).map(([id, rules]) => [id, ofEndpoint(id, rules)] as const),
	...[...Map.groupBy(operations, ({ path }) => path)].map(
		([id, all]) => [id, ofOperations(id, all)] as const
	),
	...Object.entries(pageRules).map(([id, rules]) => [id, ofPage(id, rules)] as const)
]);

const rulesByPath: ReadonlyMap<string, RouteRules> = new Map(
	[...rulesByRoute].map(([id, rules]) => [withoutGroups(id) || '/', rules])
);

/** The rules of a route, in one look-up: every check of every request reads them. */
export const rulesOf = (routeId: string | null): RouteRules => {
	if (routeId === null) return UNMATCHED;
	const known = rulesByRoute.get(routeId);
	if (known !== undefined) return known;
	const unlisted = ofUnlisted(routeId);
	// The build has a fixed number of routes, so this does not grow.
	rulesByRoute.set(routeId, unlisted);
	return unlisted;
};

/**
 * The rules of a route that no record names, because the build does not check types. A route that
 * only moved to another layout group keeps its rules. Any other gets the strictest.
 */
const ofUnlisted = (routeId: string): RouteRules => {
	const path = withoutGroups(routeId);
	const sameUrl = rulesByPath.get(path || '/');
	if (sameUrl !== undefined) return sameUrl;
	const access = routeId.split('/').includes('(public)') ? 'public' : 'by-path';
	const strict: RouteRules = { ...UNMATCHED, access, readsStore: true };
	return path.includes('[...') ? strict : { ...strict, bucket: path, counted: countedAt(path) };
};

const countedAt = (path: string): RouteRules['counted'] => {
	if (isUnder(AUTH_API, path)) return 'all';
	return isUnder(API, path) ? 'none' : 'changes';
};
