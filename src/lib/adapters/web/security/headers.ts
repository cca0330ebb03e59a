/** Two years; that the site is https is known once it was opened that way. */
const HSTS = 'max-age=63072000';

/** The plain error page loads one style sheet, and its icon. */
const PLAIN_POLICY =
	"default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** What our answers depend on; one that depends on more says so beside it. */
export const VARY = 'Origin, Sec-Fetch-Site';

/**
 * Headers of every answer, whoever gives it: pages, endpoints, static files, redirects and the
 * framework's own errors. What an answer says itself wins.
 */
export const securityHeaders = (secure: boolean): ReadonlyMap<string, string> =>
	new Map([
		['x-content-type-options', 'nosniff'],
		['referrer-policy', 'strict-origin-when-cross-origin'],
		['x-frame-options', 'DENY'],
		['cross-origin-opener-policy', 'same-origin'],
		['cross-origin-resource-policy', 'same-origin'],
		['permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'],
		// Answers differ by who asks, so none is for a shared cache unless it says so itself.
		['cache-control', 'no-store'],
		['vary', VARY],
		// For what is no page of the application; pages bring their own, with nonces.
		['content-security-policy', PLAIN_POLICY],
		...(secure ? [['strict-transport-security', HSTS] as const] : [])
	]);
