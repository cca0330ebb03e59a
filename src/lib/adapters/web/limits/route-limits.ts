import { decodedPath } from '../security/decoded-path.ts';

export type LimitName = 'route' | 'send' | 'verify';

/** Per client: the number of hits allowed in any `window` seconds. */
export const LIMITS: Readonly<
	Record<LimitName, { readonly limit: number; readonly window: number }>
> = {
	route: { limit: 100, window: 60 },
	send: { limit: 20, window: 60 },
	verify: { limit: 30, window: 60 }
};

type RouteId = `/${string}`;

/**
 * Pages that are the same for every unauthenticated caller, so they are rendered once. For callers
 * with a credential, and for URLs with a query, they may be rendered each time. Such requests count
 * against the default limit.
 */
export const KEPT_PAGES: readonly RouteId[] = ['/docs', '/docs/api', '/docs/guides/[slug]'];

/** Routes with the default limit. To add your own route, add one line with its id. */
export const LIMITED_ROUTES: readonly RouteId[] = ['/api/marketing-consent'];

/** Everything under this route has the default limit, too. */
const AUTH_API: RouteId = '/api/auth';
/** State-changing requests outside the API have the default limit, too. */
const API: RouteId = '/api';
/** Pages with form actions that send or check codes. */
const FORM_PLACES: readonly RouteId[] = ['/auth', '/settings', '/checkout'];

/** Endpoints that send a code or a link, then endpoints that check a code. */
const SENDING: readonly RouteId[] = [
	'/api/auth/email-otp/send-verification-otp',
	'/api/auth/email-otp/request-email-change',
	'/api/auth/change-email'
];
const CHECKING: readonly RouteId[] = [
	'/api/auth/sign-in/email-otp',
	'/api/auth/email-otp/check-verification-otp',
	'/api/auth/email-otp/verify-email',
	'/api/auth/email-otp/change-email'
];

/** Form actions that send or check codes, by name, on any of these pages. */
const SENDING_ACTIONS: readonly string[] = ['request', 'resend', 'prove'];
const CHECKING_ACTIONS: readonly string[] = ['verify'];

export interface LimitedRequest {
	readonly method: string;
	/** Null if no route matched. */
	readonly routeId: string | null;
	readonly pathname: string;
	/** The form action (see `actionOf`). A function, because most requests don't need it. */
	readonly action: () => string;
	/**
	 * Whether one of `KEPT_PAGES` may be rendered for this request: it carries a session token, valid
	 * or not, or its URL has more than the path. A function, because most requests don't need it.
	 */
	readonly mayRender?: () => boolean;
}

export interface Charge {
	readonly name: LimitName;
	/** What is counted separately within that limit. The caller adds the client. */
	readonly key: string;
}

const UNKNOWN = 'unknown';
const READING = ['GET', 'HEAD', 'OPTIONS'];

/**
 * The limits that apply to a request. The matched route decides, never the text of the path. Paths
 * without a route share one bucket. Preflights are counted separately: they need no work, but a
 * browser that sends one before each call must not get half the limit.
 */
export const limitsOf = (request: LimitedRequest): readonly Charge[] => {
	const route = limitedRoute(request);
	if (route === null) return [];
	if (request.method === 'OPTIONS') return [{ name: 'route', key: `preflight ${route}` }];
	const charges: Charge[] = [{ name: 'route', key: route }];
	if (request.method !== 'POST') return charges;
	const isForm = FORM_PLACES.some((place) => isUnder(place, route));
	const counts = (routes: readonly string[], actions: readonly string[]): boolean =>
		isForm ? actions.includes(request.action()) : routes.includes(route);
	if (counts(SENDING, SENDING_ACTIONS)) charges.push({ name: 'send', key: 'send' });
	if (counts(CHECKING, CHECKING_ACTIONS)) charges.push({ name: 'verify', key: 'verify' });
	return charges;
};

/**
 * The name of the form action, read as the framework reads it: the first parameter that begins with
 * a slash, decoded, whatever its value. Pass the query of the original request.
 */
export const actionOf = (query: URLSearchParams): string => {
	for (const name of query.keys()) {
		if (name.startsWith('/')) return name.slice(1);
	}
	return 'default';
};

const limitedRoute = (request: LimitedRequest): string | null => {
	const { method, routeId, pathname, mayRender } = request;
	const isOneOf = (routes: readonly string[]): boolean =>
		routeId !== null && routes.includes(routeId);
	if (isOneOf(LIMITED_ROUTES)) return routeId;
	if (isOneOf(KEPT_PAGES) && mayRender?.() === true) return routeId;
	const route = routeId?.replace(/\/\([^/]*\)(?=\/|$)/g, '') ?? null;
	const matched = route !== null && !route.includes('[...');
	const path = matched ? route : loosely(pathname);
	const limited = isUnder(AUTH_API, path) || (!READING.includes(method) && !isUnder(API, path));
	if (!limited) return null;
	return matched ? route : UNKNOWN;
};

const isUnder = (place: string, path: string): boolean =>
	path === place || path.startsWith(`${place}/`);

/** Normalises a path without a route as leniently as possible, to find which limit was meant. */
const loosely = (pathname: string): string => {
	const segments = decodedPath(pathname)
		.toLowerCase()
		.split(/[\\/]+/)
		.map((segment) => segment.replace(/;.*$/s, ''));
	return `/${segments.filter((segment) => segment !== '').join('/')}`;
};
