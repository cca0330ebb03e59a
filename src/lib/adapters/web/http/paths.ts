/** All routes of the JSON API are under this one. */
export const API = '/api';

/**
 * The routes of the wire contract. They are public for the guard: each endpoint checks the session
 * itself, after the checks that the contract puts first. Their requests are limited, except those of
 * proxies.
 */
export const AUTH_API = '/api/auth';

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

export const isSafeMethod = (method: string): boolean => SAFE_METHODS.includes(method);

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
	routeId === null
		? API_SPELLING.test(pathname.replace(ASCII_ESCAPE, decodeURIComponent))
		: API_ROUTE.test(routeId);

const ASCII_ESCAPE = /%[0-7][0-9a-f]/gi;
const API_SPELLING = /^[\\/]+api(?:[\\/]|$)/;
/** Layout groups may precede `/api`. */
const API_ROUTE = /^(?:\/\([^/]*\))*\/api(?:\/|$)/;

/**
 * Returns the local path in `value`, or null if following it could leave the site. The path starts
 * with exactly one slash and contains no hidden separator. Resolved as browsers do, it stays on
 * `origin` and never becomes `//host` in an intermediate step. The query may contain anything.
 */
export const safePath = (value: unknown, origin: string): string | null => {
	if (typeof value !== 'string' || value.length > 2048) return null;
	const path = value.split(/[?#]/, 1)[0] ?? '';
	if (!/^\/(?!\/)/.test(path) || /[\\\p{Cc}]|%2f|%5c/iu.test(path)) return null;
	if (!URL.canParse(value, origin)) return null;
	const url = new URL(value, origin);
	if (url.origin !== origin || url.pathname.startsWith('//')) return null;
	return url.pathname + url.search + url.hash;
};

export const REDIRECT_PARAMETER = 'redirectTo';

/** Query parameter: the person signs in again, because their sign-in is too old for the target. */
export const AGAIN_PARAMETER = 'again';

export const DEFAULT_DESTINATION = '/app';

/** The target after sign-in, read from the sign-in page's URL. */
export const destination = (url: URL, origin: string): string =>
	safePath(url.searchParams.get(REDIRECT_PARAMETER), origin) ?? DEFAULT_DESTINATION;

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

/** The query of a URL with only these parameters, and those that are added. */
export const queryToKeep = (
	{ searchParams }: URL,
	names: readonly string[],
	added: readonly [name: string, value: string][] = []
): string =>
	new URLSearchParams([
		...[...searchParams].filter(([name]) => names.includes(name)),
		...added
	]).toString();

/** The URL of a page without its action, with the same parameters. */
export const samePage = (...kept: Parameters<typeof queryToKeep>): string => {
	const [url] = kept;
	const query = queryToKeep(...kept);
	return query === '' ? url.pathname : `${url.pathname}?${query}`;
};
