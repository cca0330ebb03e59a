/**
 * The local path in `value`, or null when following it could leave the site. It starts with
 * exactly one slash, hides no separator, and resolved by the rules of browsers stays on `origin`
 * without turning into a `//host` on the way. The query may hold anything.
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

/** The query parameter that remembers where a person was going. */
export const REDIRECT_PARAMETER = 'redirectTo';

/** Where people land when they were going nowhere in particular. */
export const DEFAULT_DESTINATION = '/app';

/** Where to go after signing in, from the address of the sign-in page. */
export const destination = (url: URL, origin: string): string =>
	safePath(url.searchParams.get(REDIRECT_PARAMETER), origin) ?? DEFAULT_DESTINATION;
