import type { IncomingMessage, ServerResponse } from 'node:http';
import { messages } from '#lib/messages/messages.ts';
import { corsHeaders } from '../security/cors.ts';
import { isApiPath } from '../security/route-path.ts';
import { TOO_MANY_REQUESTS } from '../errors/http-errors.ts';
import { BODY_PATIENCE } from './body-places.ts';

/** After this time, every stalled body has been dropped. */
const RETRY_AFTER = BODY_PATIENCE / 1000;

/**
 * Answers a client that sends too many bodies at the same time, and closes the connection instead
 * of reading on. Scripts of trusted origins can read the answer, like every answer of the API.
 */
export const refuseBody =
	(fixedHeaders: Map<string, string>, trustedOrigins: ReadonlySet<string>) =>
	(request: IncomingMessage, response: ServerResponse): void => {
		const { status, code, message } = TOO_MANY_REQUESTS;
		const isApi = isApiPath(null, (request.url ?? '').split('?', 1)[0] ?? '');
		response
			.setHeaders(fixedHeaders)
			.setHeaders(new Map(corsHeaders(isApi, request.headers.origin ?? null, trustedOrigins)))
			.writeHead(status, {
				connection: 'close',
				'content-type': isApi ? 'application/json' : 'text/plain; charset=utf-8',
				'retry-after': String(RETRY_AFTER),
				'x-retry-after': RETRY_AFTER
			})
			.end(
				isApi ? JSON.stringify({ message, code }) : `${messages.refusals.tooOften(RETRY_AFTER)}\n`
			);
	};
