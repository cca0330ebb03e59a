import type { IncomingMessage, ServerResponse } from 'node:http';
import { FastURL, NodeRequest, sendNodeResponse, type NodeResponse } from 'srvx/node';

/**
 * What the build exports besides the adapter's handler. That handler has already started the
 * server.
 */
export interface Framework {
	readonly server: {
		respond(
			request: Request,
			options: { platform: { req: IncomingMessage }; getClientAddress: () => string }
		): Promise<Response>;
	};
	readonly assets: Files;
	readonly prerendered_assets: Files;
}

interface Files {
	readonly entries: readonly (readonly [path: string, file: unknown])[];
}

/** Null when the adapter must answer the request. */
export type FastPath = (request: IncomingMessage, response: ServerResponse) => Promise<void> | null;

/** Paths without anything to decode or resolve. */
const PLAIN_PATH = /^\/api(?:\/[\w-]+)+$/;

/** Routes that limit their request bodies themselves (json-body.ts). No other route does. */
const OWN_CALL = /^\/api\/auth\//;

/**
 * Passes requests of the JSON API to the framework without its adapter. The adapter creates a
 * full `Request` for each, looks it up among the static files, and reads every body and response
 * as a stream. That takes twice the time of all our own code. POST requests of other routes stay
 * with the adapter, which limits their bodies.
 */
export const apiFastPath = (
	{ server, assets, prerendered_assets }: Framework,
	site: { readonly protocol: string; readonly host: string },
	fixedHeaders: Map<string, string>
): FastPath => {
	const files = new Set([...assets.entries, ...prerendered_assets.entries].map(([path]) => path));
	return (request, response) => {
		const { method } = request;
		const reads = method === 'GET' || method === 'HEAD';
		if (!reads && method !== 'POST') return null;
		const target = request.url ?? '';
		const end = target.indexOf('?');
		const pathname = end === -1 ? target : target.slice(0, end);
		if (!PLAIN_PATH.test(pathname) || files.has(pathname)) return null;
		if (!reads && !OWN_CALL.test(pathname)) return null;

		if (!reads) response.once('close', () => discardRest(request));
		const asked = new NodeRequest({ req: request, res: response });
		asked._url = new FastURL({ ...site, pathname, search: end === -1 ? '' : target.slice(end) });
		return server
			.respond(asked, {
				platform: { req: request },
				// Undefined once the socket is closed, as with the adapter.
				getClientAddress: () => request.socket.remoteAddress as string
			})
			.then((answer) => {
				if (isPrepared(answer)) return send(response, answer, fixedHeaders);
				return sendNodeResponse(response.setHeaders(fixedHeaders), answer);
			});
	};
};

/**
 * Discards the rest of a request body that was refused after a part was read. This frees the
 * connection for the next request. Node itself discards a body that was never read.
 */
const discardRest = (request: IncomingMessage): void => {
	if (request.readableEnded || request.destroyed) return;
	request.removeAllListeners('data');
	request.resume();
};

const isPrepared = (answer: Response): answer is NodeResponse => '_toNodeResponse' in answer;

/**
 * Writes the response in one call. The library writes the text and the end separately, and waits
 * until the text is sent.
 */
const send = (
	response: ServerResponse,
	answer: NodeResponse,
	fixedHeaders: ReadonlyMap<string, string>
): Promise<void> | undefined => {
	const prepared = answer._toNodeResponse();
	const { status, statusText, body } = prepared;
	const headers = withMissing(prepared.headers, fixedHeaders);
	if (typeof body === 'string') {
		response.writeHead(status, statusText, headers).end(body);
		return;
	}
	answer._toNodeResponse = () => ({ ...prepared, headers });
	return sendNodeResponse(response, answer);
};

/**
 * Header names and values in turn, plus the fixed headers that the response lacks. If they were
 * set on the response beforehand, Node would merge the response's own headers into them one by
 * one. That takes twice as long as writing all of them.
 */
const withMissing = (
	headers: readonly string[],
	fixedHeaders: ReadonlyMap<string, string>
): string[] => {
	const all = [...headers];
	for (const [name, value] of fixedHeaders) if (!isNamed(headers, name)) all.push(name, value);
	return all;
};

const isNamed = (headers: readonly string[], name: string): boolean => {
	for (let place = 0; place < headers.length; place += 2) {
		if (headers[place] === name) return true;
	}
	return false;
};
