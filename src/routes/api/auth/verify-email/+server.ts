import { openChangeLink } from '#lib/adapters/web/email-change/operations.ts';
import { endpoint } from '#lib/adapters/web/api/endpoint.ts';

const LANDING = '/auth/verify-email';

/**
 * For API clients that build the link themselves, with the usual path. Only redirects to the page
 * that confirms the change.
 */
export const { GET, fallback } = endpoint(openChangeLink, ({ url }) => {
	const query = new URLSearchParams();
	for (const name of Object.keys(openChangeLink.query.shape)) {
		const value = url.searchParams.get(name);
		if (value !== null) query.set(name, value);
	}
	const location = query.size === 0 ? LANDING : `${LANDING}?${query}`;
	const headers = { location, 'cache-control': 'no-store' };
	return new Response(null, { status: 302, headers });
});
