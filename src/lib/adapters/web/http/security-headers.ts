/* The headers of all responses. Pages have a content security policy of their own, in vite.config.ts. */

/** Two years. Sent only over https. */
const HSTS = 'max-age=63072000';

/** For the plain error page: its style sheet, its icon, and by its hash the script in error.html. */
const PLAIN_POLICY =
	"default-src 'none'; script-src 'sha256-1zTi8IDwsgAy/NdzGg2Or06zLTQxKkqOumaoS43gNIM='; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * The request headers that every response depends on. A route that depends on others sets only those;
 * `withHeaders` adds these.
 */
export const VARY = 'Origin, Sec-Fetch-Site';

/**
 * Default headers for every response: pages, endpoints, static files, redirects and the framework's
 * own errors. A header that the response sets itself wins.
 */
export const securityHeaders = (secure: boolean): ReadonlyMap<string, string> =>
	new Map([
		['x-content-type-options', 'nosniff'],
		['referrer-policy', 'strict-origin-when-cross-origin'],
		['x-frame-options', 'DENY'],
		['cross-origin-opener-policy', 'same-origin'],
		['cross-origin-resource-policy', 'same-origin'],
		['permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'],
		// Responses depend on the session, so by default no cache may store them.
		['cache-control', 'no-store'],
		['vary', VARY],
		// For responses that are not pages.
		['content-security-policy', PLAIN_POLICY],
		...(secure ? [['strict-transport-security', HSTS] as const] : [])
	]);
