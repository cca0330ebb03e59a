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

/** The query parameter with the target after sign-in. */
export const REDIRECT_PARAMETER = 'redirectTo';

/** The target if the request names none. */
export const DEFAULT_DESTINATION = '/app';

/** The target after sign-in, read from the sign-in page's URL. */
export const destination = (url: URL, origin: string): string =>
	safePath(url.searchParams.get(REDIRECT_PARAMETER), origin) ?? DEFAULT_DESTINATION;
