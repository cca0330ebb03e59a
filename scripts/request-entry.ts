import type { IncomingMessage, ServerResponse } from 'node:http';
import { isApiPath } from '#lib/adapters/web/access.ts';
import { edgeErrors } from '#lib/adapters/web/api-error.ts';

/** False when the request ended here. */
export type RequestEntry = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Prepares requests for the framework: one form of target, no method it cannot hold, and our own
 * headers instead of the client's. Refusals have the headers of every answer.
 */
export const requestEntry =
	(
		ownHeaders: Readonly<Record<string, string>>,
		answerHeaders: Map<string, string>
	): RequestEntry =>
	(request, response) => {
		if (isGone(request)) {
			response.destroy();
			return false;
		}
		const target = originForm(request.url ?? '');
		if (target === null) {
			refuse(response.setHeaders(answerHeaders));
			return false;
		}
		request.url = withoutReserved(target);
		// The framework's `Request` throws at TRACE. Under another name the route answers 405.
		if (request.method === 'TRACE') request.method = 'X-TRACE';
		replaceHeaders(request, ownHeaders);
		return true;
	};

/**
 * Whether nobody receives the answer. The address of a socket that was reset cannot be read, so its
 * request would count as a client of its own.
 */
const isGone = ({ socket }: IncomingMessage): boolean =>
	socket.destroyed || socket.remoteAddress === undefined;

const ABSOLUTE = /^https?:\/\/[^/?#]*/i;

/**
 * The path and query of a request target. The adapter appends the target to the site's origin as it
 * is, so any other form could extend the host name.
 */
const originForm = (target: string): string | null => {
	if (target.includes('#')) return null;
	if (target.startsWith('/')) return target;
	const authority = ABSOLUTE.exec(target)?.[0];
	if (authority === undefined) return null;
	const rest = target.slice(authority.length);
	return rest.startsWith('/') ? rest : `/${rest}`;
};

const refuse = (response: ServerResponse): void => {
	const { status, code } = edgeErrors.bad_request;
	const body = JSON.stringify({ message: 'Malformed request target', code });
	const headers = { 'content-type': 'application/json', 'content-length': body.length };
	response.writeHead(status, headers).end(body);
};

/**
 * The framework answers two things by itself, in plain text, before any hook: paths of route
 * resolution, which this build does not offer, and parameters with its prefix. Written differently,
 * the path is like any other; an API call ignores parameters that it does not know.
 */
const withoutReserved = (target: string): string => {
	const start = target.indexOf('?');
	const path = start === -1 ? target : target.slice(0, start);
	const pathname = path.replace(/__route\.js$/, '__route%2ejs');
	const query = start === -1 ? '' : target.slice(start);
	if (!/sveltekit|%/i.test(query) || !isApiPath(null, pathname)) return pathname + query;
	const known = [...new URLSearchParams(query)].filter(([name]) => !name.startsWith(RESERVED));
	return known.length === 0 ? pathname : `${pathname}?${new URLSearchParams(known)}`;
};

const RESERVED = 'x-sveltekit-';

/**
 * Node keeps headers twice: by name, and as they were sent. Some readers use one, some the other. By
 * name it keeps none that is called `__proto__`.
 */
const replaceHeaders = (
	{ headers, rawHeaders }: IncomingMessage,
	own: Readonly<Record<string, string>>
): void => {
	for (let at = rawHeaders.length - 2; at >= 0; at -= 2) {
		const name = (rawHeaders[at] ?? '').toLowerCase();
		if (name === '__proto__' || Object.hasOwn(own, name)) rawHeaders.splice(at, 2);
	}
	for (const [name, value] of Object.entries(own)) {
		headers[name] = value;
		rawHeaders.push(name, value);
	}
};
