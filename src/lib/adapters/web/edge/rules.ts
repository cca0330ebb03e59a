import type { Operation } from '../api/operation.ts';
import type { LimitName } from './limits/client-limits.ts';
import { API, AUTH_API, isUnder, withoutGroups } from '../http/paths.ts';
import type { EndpointRules } from '../endpoint-rules.ts';
import type { KeptField, PageRules } from '../page-rules.ts';

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
	readonly skipsSessionCache: boolean;
	/** As in `PageRules`, like the next three. */
	readonly urlHoldsToken: boolean;
	readonly hidesEmail: boolean;
	readonly showsLimitedForm: boolean;
	readonly keptFields: ReadonlyMap<string, KeptField>;
}

/** For requests that match no route. They share one bucket, whatever their path. */
export const UNMATCHED: RouteRules = {
	access: 'by-path',
	counted: 'by-path',
	bucket: 'unknown',
	post: 'default',
	actsOnSession: true,
	skipsSessionCache: false,
	urlHoldsToken: false,
	hidesEmail: false,
	showsLimitedForm: false,
	keptFields: new Map()
};

/** What counts without a limit of the route's own. */
export const countedAt = (path: string): RouteRules['counted'] => {
	if (isUnder(AUTH_API, path)) return 'all';
	return isUnder(API, path) ? 'none' : 'changes';
};

/** The rules of a page. */
export const ofPage = (routeId: string, rules: PageRules): RouteRules => ({
	access: rules.access,
	counted: 'changes',
	bucket: withoutGroups(routeId),
	post: new Map(Object.entries(rules.actions ?? {})),
	actsOnSession: true,
	skipsSessionCache: rules.skipsSessionCache ?? false,
	urlHoldsToken: rules.urlHoldsToken ?? false,
	hidesEmail: rules.hidesEmail ?? false,
	showsLimitedForm: rules.showsLimitedForm ?? false,
	keptFields: new Map(Object.entries(rules.keptFields ?? {}))
});

/** The rules of an endpoint without an operation. */
export const ofEndpoint = (
	routeId: string,
	{ access, limit, skipsSessionCache }: EndpointRules
): RouteRules => ({
	...UNMATCHED,
	access,
	...(limit === 'unmatched'
		? {}
		: {
				counted: limit === null ? countedAt(withoutGroups(routeId)) : 'all',
				bucket: withoutGroups(routeId),
				post: limit ?? 'default'
			}),
	skipsSessionCache: skipsSessionCache ?? false
});

/**
 * The rules of a route with one or more operations. The guard lets unauthenticated callers pass if
 * any operation does; each endpoint checks its own. For everything else the strictest decides.
 */
export const ofOperations = (routeId: string, all: readonly Operation[]): RouteRules => {
	const changes = all.filter(({ method }) => method !== 'GET');
	const limits = all.filter(({ method }) => method === 'POST').map(({ limit }) => limit);
	const isOpen = isUnder(AUTH_API, routeId) || all.some(({ session }) => session !== 'required');
	return {
		access: isOpen ? 'public' : 'session',
		counted: all.some(({ limit }) => limit !== null) ? 'all' : countedAt(routeId),
		bucket: routeId,
		post: limits.find((limit) => limit !== null) ?? 'default',
		actsOnSession: changes.length === 0 || changes.some(({ session }) => session !== 'unused'),
		skipsSessionCache: all.some(({ skipsSessionCache }) => skipsSessionCache),
		urlHoldsToken: all.some(({ urlHoldsToken }) => urlHoldsToken),
		hidesEmail: false,
		showsLimitedForm: false,
		keptFields: UNMATCHED.keptFields
	};
};
