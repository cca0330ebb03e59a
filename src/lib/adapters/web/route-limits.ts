import { decodedPath } from './decoded-path.ts';

export type LimitName = 'route' | 'send' | 'verify';

/** Per client: hits in any `window` seconds. */
export const LIMITS: Readonly<
	Record<LimitName, { readonly limit: number; readonly window: number }>
> = {
	route: { limit: 100, window: 60 },
	send: { limit: 20, window: 60 },
	verify: { limit: 30, window: 60 }
};

type RouteId = `/${string}`;

/**
 * Pages that look the same to every caller without a session, so that they are rendered once. To a
 * caller with a credential, or under an address with a query, they may be rendered anew: such
 * requests fall under the default limit.
 */
export const KEPT_PAGES: readonly RouteId[] = ['/docs', '/docs/api', '/docs/guides/[slug]'];

/** Routes that fall under the default limit. One of your own joins by one line with its id. */
export const LIMITED_ROUTES: readonly RouteId[] = ['/api/marketing-consent'];

/** Everything in there falls under the default limit as well. */
const AUTH_API: RouteId = '/api/auth';
/** So does every request that may change something, unless it is a call of the API. */
const API: RouteId = '/api';
/** Pages whose form actions send or check codes. */
const FORM_PLACES: readonly RouteId[] = ['/auth', '/settings', '/checkout'];

/** Endpoints that send a code or a link, and those that check a code. */
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

/** The same for form actions, by name: whichever page in those places has one, it counts. */
const SENDING_ACTIONS: readonly string[] = ['request', 'resend', 'prove'];
const CHECKING_ACTIONS: readonly string[] = ['verify'];

export interface LimitedRequest {
	readonly method: string;
	/** Null when no route matched. */
	readonly routeId: string | null;
	readonly pathname: string;
	/** The form action, by `actionOf`; asked for only where it counts. */
	readonly action: () => string;
	/**
	 * Whether one of `KEPT_PAGES` may be rendered anew for it: it carries a session token, valid or
	 * not, or its address has more than the path. Asked for only there.
	 */
	readonly mayRender?: () => boolean;
}

export interface Charge {
	readonly name: LimitName;
	/** What is counted apart within that limit. The client is to be added. */
	readonly key: string;
}

const UNKNOWN = 'unknown';
const READING = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Which limits a request falls under. The route that matched decides, never the text of the path; a
 * spelling that no route answers to shares one bucket with all unknown paths. Preflights are counted
 * apart: they do no work, but a browser that sends one before each call must not get half the limit.
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
 * The name of the form action a request asks for, read exactly as the framework reads it: the first
 * parameter that begins with a slash, decoded, whatever its value. To be given the query of the
 * original request.
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

/** What a path that no route answers to was meant to be, as generously as it can be read. */
const loosely = (pathname: string): string => {
	const segments = decodedPath(pathname)
		.toLowerCase()
		.split(/[\\/]+/)
		.map((segment) => segment.replace(/;.*$/s, ''));
	return `/${segments.filter((segment) => segment !== '').join('/')}`;
};
