import { decodedPath } from './decoded-path.ts';

/**
 * What strangers may open. Everything else needs a session: protection is the default, and a new
 * route has it without its author doing anything.
 */
export const PUBLIC_EXACT = ['/', '/contact', '/roadmap', '/changelog'] as const;

/** And these, where there is one page to enter by. */
export const PUBLIC_EXACT_SINGLE = ['/download'] as const;

/** These match whole path segments: `/authors` is not under `/auth`. */
export const PUBLIC_PREFIXES = [
	'/auth',
	'/ai',
	'/blog',
	'/checkout',
	'/docs',
	'/templates',
	// The endpoints there answer for themselves whether they need a session.
	'/api/auth'
] as const;

/** A layout group of this name makes the routes in it public. */
const PUBLIC_GROUP = '(public)';

/**
 * Whether a request may pass without a session. The route decides where one matched, so that no
 * spelling of a path is judged differently from the page it opens; otherwise the path does.
 */
export const isPublic = (
	routeId: string | null,
	pathname: string,
	entry: 'split' | 'single'
): boolean => {
	const segments = (routeId ?? pathname).split('/').filter((segment) => segment !== '');
	if (routeId !== null && segments.includes(PUBLIC_GROUP)) return true;
	const path = `/${segments.filter((segment) => routeId === null || !isGroup(segment)).join('/')}`;
	return (
		PUBLIC_EXACT.some((exact) => path === exact) ||
		(entry === 'single' && PUBLIC_EXACT_SINGLE.some((exact) => path === exact)) ||
		PUBLIC_PREFIXES.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))
	);
};

const isGroup = (segment: string): boolean => segment.startsWith('(') && segment.endsWith(')');

/**
 * API clients get JSON; people get pages. The route decides where one matched, as for `isPublic`.
 * Any other spelling of an API path counts as one.
 */
export const isApiPath = (routeId: string | null, pathname: string): boolean =>
	routeId === null ? API_SPELLING.test(decodedPath(pathname)) : API_ROUTE.test(routeId);

const API_SPELLING = /^[\\/]+api(?:[\\/]|$)/;
/** Layout groups may stand before it. */
const API_ROUTE = /^(?:\/\([^/]*\))*\/api(?:\/|$)/;

/** The route id of every remote function, whatever page its caller claims to be on. */
export const REMOTE_ROUTE = '/_app/remote';

/**
 * Reading pages for which a session cache is never enough: they show or lead to what is sensitive.
 * Whatever changes something asks the store in any case.
 */
const READS_STORE = [
	'/settings',
	'/auth/verify-email',
	'/checkout/success',
	'/api/auth/list-sessions',
	// What a remote function shows is unknown here.
	REMOTE_ROUTE
] as const;

/** Whether a cache may vouch for the session of a request. No parameter can turn a strict route lax. */
export const mayTrustCache = (method: string, routeId: string | null, url: URL): boolean =>
	(method === 'GET' || method === 'HEAD') &&
	(url.search === '' || url.searchParams.get('disableCookieCache') !== 'true') &&
	!READS_STORE.some((strict) => routeId === strict || routeId?.startsWith(`${strict}/`));
