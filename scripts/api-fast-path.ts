import type { IncomingMessage, ServerResponse } from 'node:http';
import { FastURL, NodeRequest, sendNodeResponse, type NodeResponse } from 'srvx/node';

/** What the build offers besides the adapter's handler, which has started the server it is made with. */
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

/** Null for what the adapter is to answer. */
export type FastPath = (request: IncomingMessage, response: ServerResponse) => Promise<void> | null;

/** Spelled so that nothing has to be decoded or resolved. */
const PLAIN_PATH = /^\/api(?:\/[\w-]+)+$/;

/** Calls whose bodies are bounded where they are read (json-body.ts); nobody else's are. */
const OWN_CALL = /^\/api\/auth\//;

/**
 * Requests of the JSON API go to the framework without its adapter, which makes a whole `Request` of
 * each, looks it up among the static files, and reads every body and every answer as a stream: twice
 * the time of all that is ours. Other bodies stay with the adapter, which bounds them.
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
				// Undefined once the socket is gone, as from the adapter.
				getClientAddress: () => request.socket.remoteAddress as string
			})
			.then((answer) => {
				if (isPrepared(answer)) return send(response, answer, fixedHeaders);
				return sendNodeResponse(response.setHeaders(fixedHeaders), answer);
			});
	};
};

/**
 * Of a body that was refused half read, so that the connection is free for the next request. What
 * nobody has begun to read Node discards itself.
 */
const discardRest = (request: IncomingMessage): void => {
	if (request.readableEnded || request.destroyed) return;
	request.removeAllListeners('data');
	request.resume();
};

const isPrepared = (answer: Response): answer is NodeResponse => '_toNodeResponse' in answer;

/** In one piece: the library's own way writes the text and then an end, and waits until it is out. */
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
 * Names and values in turn, with those an answer does not have. Set on the response beforehand they
 * would be merged with its own one by one, for each answer, which takes twice as long as to write
 * them all.
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
