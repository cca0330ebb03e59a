/** All routes of the JSON API are under this one. */
export const API = '/api';

/**
 * The routes of the wire contract. They are public for the guard: each endpoint checks the session
 * itself, after the checks that the contract puts first. Every request to them is limited.
 */
export const AUTH_API = '/api/auth';

/** Compares whole path segments: `/authors` is not under `/auth`. */
export const isUnder = (place: string, path: string): boolean =>
	path === place || path.startsWith(`${place}/`);

/** Removes the layout groups, which are no part of the URL. Empty for the home page in a group. */
export const withoutGroups = (routeId: string): string =>
	routeId.replace(/\/\([^/]*\)(?=\/|$)/g, '');

/**
 * Whether to respond with JSON (API clients) or pages (people). If a route matched, its id decides:
 * a different spelling of the path then gets the same result as the page it opens. Otherwise any
 * spelling of an API path counts as one.
 */
export const isApiPath = (routeId: string | null, pathname: string): boolean =>
	routeId === null ? API_SPELLING.test(decodedPath(pathname)) : API_ROUTE.test(routeId);

const API_SPELLING = /^[\\/]+api(?:[\\/]|$)/;
/** Layout groups may precede `/api`. */
const API_ROUTE = /^(?:\/\([^/]*\))*\/api(?:\/|$)/;

/**
 * Decodes the escapes of a path as far as possible. An escape that is not valid text stays as it is,
 * and the others are still decoded.
 */
export const decodedPath = (pathname: string): string =>
	pathname.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
		try {
			return decodeURIComponent(escapes);
		} catch {
			return escapes.replace(/%[0-7][0-9a-f]/gi, decodeURIComponent);
		}
	});
