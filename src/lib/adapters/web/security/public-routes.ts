import { decodedPath } from './decoded-path.ts';

/** Public paths. All other routes require a session by default, including new ones. */
export const PUBLIC_EXACT = ['/', '/contact', '/roadmap', '/changelog'] as const;

/** Also public in the layout with a single entry page. */
export const PUBLIC_EXACT_SINGLE = ['/download'] as const;

/** Matched by whole path segments: `/authors` is not under `/auth`. */
export const PUBLIC_PREFIXES = [
	'/auth',
	'/ai',
	'/blog',
	'/checkout',
	'/docs',
	'/templates',
	// Each endpoint under this prefix checks for itself whether it needs a session.
	'/api/auth'
] as const;

/** Routes in a layout group with this name are public. */
const PUBLIC_GROUP = '(public)';

/**
 * Whether a request is allowed without a session. If a route matched, its id decides: a different
 * spelling of the path then gets the same result as the page it opens. Otherwise the path decides.
 */
export const isPublic = (
	routeId: string | null,
	pathname: string,
	signInLayout: 'split' | 'single'
): boolean => {
	const segments = (routeId ?? pathname).split('/').filter((segment) => segment !== '');
	if (routeId !== null && segments.includes(PUBLIC_GROUP)) return true;
	const path = `/${segments.filter((segment) => routeId === null || !isGroup(segment)).join('/')}`;
	return (
		PUBLIC_EXACT.some((exact) => path === exact) ||
		(signInLayout === 'single' && PUBLIC_EXACT_SINGLE.some((exact) => path === exact)) ||
		PUBLIC_PREFIXES.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))
	);
};

const isGroup = (segment: string): boolean => segment.startsWith('(') && segment.endsWith(')');

/**
 * Whether to respond with JSON (API clients) or pages (people). If a route matched, its id decides,
 * as in `isPublic`. Otherwise any spelling of an API path counts as one.
 */
export const isApiPath = (routeId: string | null, pathname: string): boolean =>
	routeId === null ? API_SPELLING.test(decodedPath(pathname)) : API_ROUTE.test(routeId);

const API_SPELLING = /^[\\/]+api(?:[\\/]|$)/;
/** Layout groups may precede `/api`. */
const API_ROUTE = /^(?:\/\([^/]*\))*\/api(?:\/|$)/;

/** The route id of all remote functions, whichever page the client names. */
export const REMOTE_ROUTE = '/_app/remote';

/**
 * GET routes that never use a session cache, because they show or lead to sensitive data.
 * State-changing requests always query the store.
 */
const READS_STORE = [
	'/settings',
	'/auth/verify-email',
	'/checkout/success',
	'/api/auth/list-sessions',
	// We can't know what data a remote function returns.
	REMOTE_ROUTE
] as const;

/**
 * Whether a request may use a session cache. Query parameters cannot enable the cache on strict
 * routes.
 */
export const mayTrustCache = (method: string, routeId: string | null, url: URL): boolean =>
	(method === 'GET' || method === 'HEAD') &&
	(url.search === '' || url.searchParams.get('disableCookieCache') !== 'true') &&
	!READS_STORE.some((strict) => routeId === strict || routeId?.startsWith(`${strict}/`));
