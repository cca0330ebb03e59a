import { openChangeLink } from '#lib/adapters/web/email-change/operations.ts';
import { endpoint } from '#lib/adapters/web/api/endpoint.ts';

/**
 * For API clients that build the link themselves, with the usual path. Only redirects to the page
 * that confirms the change.
 */
export const { GET, fallback } = endpoint(openChangeLink, ({ url }) => {
	return new Response(null, {
		status: 302,
		headers: { location: `/auth/verify-email${url.search}` }
	});
});
