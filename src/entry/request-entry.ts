import type { IncomingMessage, ServerResponse } from 'node:http';
import { isApiPath } from '#lib/adapters/web/http/paths.ts';
import { httpErrors } from '#lib/adapters/web/http/http-errors.ts';

/** False when the request was answered here. */
type RequestEntry = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Prepares requests for the framework and refuses those that it cannot process: TRACE, and
 * targets in another form than a path. Our own headers replace the client's. Refusals have the
 * headers of every response.
 */
export const requestEntry = (
	ownHeaders: Readonly<Record<string, string>>,
	answerHeaders: Map<string, string>
): RequestEntry => {
	const own = Object.entries(ownHeaders);
	const replaced = [...Object.keys(ownHeaders), '__proto__', DESTINATION];
	return (request, response) => {
		const { url: target = '', method, socket } = request;
		// The client has disconnected. The address of a reset socket cannot be read, so its request would
		// count as one of a separate client.
		if (socket.destroyed || socket.remoteAddress === undefined) {
			response.destroy();
			return false;
		}
		// The adapter appends the target to the site's origin, so another form could extend the host
		// name.
		if (!target.startsWith('/') || method === 'TRACE') {
			refuse(response.setHeaders(answerHeaders));
			return false;
		}
		request.url = withoutReserved(target);
		delete request.headers[DESTINATION];
		replaceHeaders(request, own, replaced);
		return true;
	};
};

/**
 * With this header, the framework would answer unknown paths unlike the pages of operators. Both must
 * look the same.
 */
const DESTINATION = 'sec-fetch-dest';

const refuse = (response: ServerResponse): void => {
	const { status, code } = httpErrors.bad_request;
	const body = JSON.stringify({ message: 'Malformed request', code });
	const headers = { 'content-type': 'application/json', 'content-length': body.length };
	response.writeHead(status, headers).end(body);
};

/**
 * Defuses `__route.js` paths and `x-sveltekit-*` queries, which the framework answers before hooks.
 * Also removes a fragment, as the framework does.
 */
const withoutReserved = (target: string): string => {
	const [sent = ''] = target.split('#', 1);
	const start = sent.indexOf('?');
	const path = start === -1 ? sent : sent.slice(0, start);
	const pathname = path.replace(/__route\.js$/, '__route%2ejs');
	const query = start === -1 ? '' : sent.slice(start);
	if (!/sveltekit|%/i.test(query) || !isApiPath(null, pathname)) return pathname + query;
	const given = [...new URLSearchParams(query)];
	const known = given.filter(([name]) => !name.startsWith(RESERVED));
	if (known.length === given.length) return pathname + query;
	return known.length === 0 ? pathname : `${pathname}?${new URLSearchParams(known)}`;
};

const RESERVED = 'x-sveltekit-';

/**
 * Node keeps headers twice, by name and as they were sent. Different readers use different ones.
 * The headers by name never include one called `__proto__`.
 */
const replaceHeaders = (
	{ headers, rawHeaders }: IncomingMessage,
	own: readonly (readonly [name: string, value: string])[],
	replaced: readonly string[]
): void => {
	for (let at = rawHeaders.length - 2; at >= 0; at -= 2) {
		if (replaced.includes((rawHeaders[at] ?? '').toLowerCase())) rawHeaders.splice(at, 2);
	}
	for (const [name, value] of own) {
		headers[name] = value;
		rawHeaders.push(name, value);
	}
};
