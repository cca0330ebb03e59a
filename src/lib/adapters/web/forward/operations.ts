import { z } from 'zod';
import type { Operation } from '../api/operation.ts';

export const checkForProxy = {
	method: 'GET',
	path: '/api/auth/forward',
	summary: 'Check a request for a reverse proxy',
	description:
		'For proxies that protect another application on this host. They send the headers of the request, without its body, and their own `X-Forwarded-Method` and `X-Forwarded-Uri`. Reads the session cookie, never `Authorization`, and does not extend the session. FORBIDDEN means that the operator’s rule excludes the account. For browsers, the errors 401 and 403 can be pages. To a navigation, 401 has the header `X-Postern-Sign-In`, the URL of the sign-in page. NOT_FOUND means that the operator did not switch it on (`FORWARD_ALLOW`).',
	session: 'optional',
	limit: 'none',
	answersProxies: true,
	headers: z.object({
		'X-Forwarded-Method': z
			.string()
			.meta({ description: 'The method of the checked request.', examples: ['GET'] }),
		'X-Forwarded-Uri': z
			.string()
			.meta({ description: 'Its path and query.', examples: ['/reports?year=2026'] })
	}),
	query: z.object({
		redirect: z.string().optional().describe('Redirects a navigation to the sign-in page.')
	}),
	response: {
		description: 'The account may use the application.',
		headers: {
			'X-Postern-User': z.string().describe('The id of the account.'),
			'X-Postern-Email': z.string().describe('Its email address.'),
			'X-Postern-Name': z.string().describe('Its name in UTF-8, percent-encoded. May be empty.'),
			'X-Postern-Cookie': z
				.string()
				.describe('The `Cookie` header without the cookies of this server. May be empty.')
		}
	},
	redirect: {
		description: 'With `redirect`, a navigation without a session.',
		headers: { Location: z.string() }
	},
	errors: ['unauthorized', 'invalid_forwarded_headers', 'forbidden', 'not_found']
} as const satisfies Operation;

export const forwardOperations = { checkForProxy };
