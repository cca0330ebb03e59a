import type { LimitName } from './limits/limits.ts';
import { API, AUTH_API, isUnder, withoutGroups } from '../http/paths.ts';

/** What a route does differently from others. Each flag is off unless the rules of the route set it. */
export interface RouteFlags {
	/**
	 * Reading never uses a cached session, because the route shows or leads to sensitive data. Form
	 * posts and other changes always query the store.
	 */
	readonly skipsSessionCache?: boolean;
	/** The endpoint checks limits and session itself. Other sites may call it, so no origin check. */
	readonly skipsChecks?: boolean;
	/**
	 * Proxies call it for each request of another application: it reads the session cookie only, and never
	 * extends the session, because the browser would not get the new cookie. No limit counts it.
	 */
	readonly answersProxies?: boolean;
	/** The page whose form posts to this endpoint. After a sign-in, the person is back on it. */
	readonly formOf?: string;
	/** The URL can contain a token, which other sites must not see. */
	readonly urlHoldsToken?: boolean;
	/**
	 * The page sends codes to an email address that the visitor has not typed and may not see. No
	 * other page shows or accepts these codes (`codeKeyOf`).
	 */
	readonly hidesEmail?: boolean;
	/** A page about the site: its header offers sign-in, its footer links. Other pages lead nowhere else. */
	readonly showsSiteLinks?: boolean;
}

export interface PageRules extends Omit<RouteFlags, 'skipsChecks' | 'answersProxies' | 'formOf'> {
	/** `session`: the guard redirects unauthenticated callers to the sign-in page. */
	readonly access: 'public' | 'session';
	/**
	 * Every form action of the page by name, with the limit that counts it. All form posts count
	 * against the default limit as well. `pageActions` compares this with the actions themselves.
	 */
	readonly actions?: Readonly<Record<string, LimitName>>;
}

/** What an endpoint needs that no operation describes. */
export interface EndpointRules extends Pick<
	RouteFlags,
	'skipsSessionCache' | 'skipsChecks' | 'formOf'
> {
	/** `session`: the guard answers unauthenticated callers with 401. */
	readonly access: 'public' | 'session';
	/**
	 * The limit that counts its requests. `none`: no limit counts them. `like-unknown-paths`: they count
	 * like requests that match no route.
	 */
	readonly limit: LimitName | 'none' | 'like-unknown-paths';
}

/**
 * What a route needs, in one form for pages and endpoints. `operator`: for everybody but operators, the
 * page looks like an unknown path. `by-path` means that no rules exist for the route, so the path decides.
 */
export interface RouteRules extends RouteFlags {
	readonly access: 'public' | 'session' | 'operator' | 'by-path';
	/** Unauthenticated callers get the response of an unknown path, and the same limit counts them. */
	readonly looksUnknown: boolean;
	/** The requests that count against the default limit. */
	readonly counted: 'all' | 'changes' | 'none' | 'by-path';
	/** The default limit counts each bucket separately. */
	readonly bucket: string;
	/** The limit of a POST to an endpoint, or the limits of a page's form actions by name. */
	readonly postLimits: LimitName | ReadonlyMap<string, LimitName>;
	/**
	 * Whether a state-changing request with a session cookie must state its origin (`judgeOrigin`). False
	 * if the cookie has no effect on it.
	 */
	readonly requiresOriginWithCookie: boolean;
}

/** For requests that match no route. They share one bucket, whatever their path. */
export const UNMATCHED: RouteRules = {
	access: 'by-path',
	counted: 'by-path',
	bucket: 'unknown',
	postLimits: 'default',
	requiresOriginWithCookie: true,
	skipsSessionCache: true,
	looksUnknown: true
};

/** What the default limit counts at a route without rules, or where there is no route. */
export const countedAt = (path: string): RouteRules['counted'] => {
	if (isUnder(AUTH_API, path)) return 'all';
	return isUnder(API, path) ? 'none' : 'changes';
};

export const rulesOfPage = (
	routeId: string,
	{ actions = {}, ...rules }: PageRules
): RouteRules => ({
	...UNMATCHED,
	bucket: withoutGroups(routeId),
	skipsSessionCache: false,
	looksUnknown: false,
	...rules,
	counted: 'changes',
	postLimits: new Map(Object.entries(actions))
});

export const rulesOfEndpoint = (
	routeId: string,
	{ access, limit, ...flags }: EndpointRules
): RouteRules => {
	const rules = { ...UNMATCHED, skipsSessionCache: false, ...flags, access };
	if (limit === 'like-unknown-paths') return rules;
	return {
		...rules,
		counted: limit === 'none' ? limit : 'all',
		bucket: withoutGroups(routeId),
		looksUnknown: false,
		postLimits: limit === 'none' ? 'default' : limit
	};
};
