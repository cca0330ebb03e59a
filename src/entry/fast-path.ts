import type { IncomingMessage, ServerResponse } from 'node:http';
import { setResponse } from '@sveltejs/kit/node';
import { TextResponse } from '#lib/adapters/web/http/responses.ts';

/** Null when the adapter must answer the request. */
type FastPath = (request: IncomingMessage, response: ServerResponse) => Promise<void> | null;

/**
 * What `build/adapter-node.js` exports for the adapter's own handler, which has already started
 * the server. This interface is not documented, so each start tries it.
 */
interface Framework {
	readonly server: {
		respond(
			request: Request,
			options: {
				platform: { req: IncomingMessage | null };
				getClientAddress: () => string | undefined;
			}
		): Promise<Response>;
	};
	readonly assets: Files;
	readonly prerendered_assets: Files;
}

interface Files {
	readonly entries: readonly (readonly [path: string, file: unknown])[];
	/** Further paths of the same files. */
	readonly aliases: readonly (readonly [path: string, of: string])[];
}

/** A hook answers this before logging and limits (edge/health.ts). */
const PROBE = '/healthz';

/** Paths without anything to decode or resolve. */
const PLAIN_PATH = /^(?:\/[\w-]+)+$/;

/**
 * Passes `GET` and `HEAD` requests of the JSON API and of pages to the framework without its
 * adapter. The adapter looks up each request among the static files, creates an abort signal for
 * it, and reads every response as a stream. Without that, it serves 1.5 times as many requests
 * (docs/decisions/0012-api-requests-past-the-adapter.md).
 *
 * When the interface that this needs is missing or has changed, it reports the reason and leaves
 * every request to the adapter.
 */
export const openFastPath = async (
	framework: object,
	origin: string,
	fixedHeaders: Map<string, string>,
	report: (reason: string) => void
): Promise<FastPath> => {
	try {
		const { server } = framework as Framework;
		const path = fastPath(framework as Framework, origin, fixedHeaders);
		// Uses everything that the fast path uses.
		const answer = await server.respond(new Request(origin + PROBE), {
			platform: { req: null },
			getClientAddress: () => '127.0.0.1'
		});
		if ((await answer.text()) === 'ok\n') return path;
		report(`server.respond answers ${answer.status} to ${PROBE}`);
	} catch (error) {
		report(String(error));
	}
	return () => null;
};

const fastPath = (
	{ server, assets, prerendered_assets }: Framework,
	origin: string,
	fixedHeaders: Map<string, string>
): FastPath => {
	const files = new Set(
		[assets, prerendered_assets]
			.flatMap(({ entries, aliases }) => [...entries, ...aliases])
			// The adapter redirects from the path without a slash at its end.
			.map(([path]) => path.replace(/\/$/, ''))
	);
	return (request, response) => {
		const { method, url = '' } = request;
		if (method !== 'GET' && method !== 'HEAD') return null;
		const end = url.indexOf('?');
		const pathname = end === -1 ? url : url.slice(0, end);
		if (!PLAIN_PATH.test(pathname) || files.has(pathname)) return null;
		return server
			.respond(new ReadingRequest(origin + url, method, request, response), {
				platform: { req: request },
				// Undefined once the socket is closed, as with the adapter.
				getClientAddress: () => request.socket.remoteAddress
			})
			.then((answer) => send(response, answer, fixedHeaders));
	};
};

/** A request without a body. It creates its signal on first use, because few routes read it. */
class ReadingRequest extends Request {
	readonly #response: ServerResponse;
	#controller: AbortController | null = null;

	constructor(url: string, method: string, sent: IncomingMessage, response: ServerResponse) {
		// The server joins headers of the same name, so each value is a string.
		super(url, { method, headers: sent.headers as Record<string, string> });
		this.#response = response;
	}

	/** Aborted when the client disconnects before the end of the response, as with the adapter. */
	override get signal(): AbortSignal {
		if (this.#controller !== null) return this.#controller.signal;
		const controller = new AbortController();
		this.#controller = controller;
		const abortIfUnfinished = (): void => {
			if (!this.#response.writableEnded) controller.abort();
		};
		if (this.#response.destroyed) abortIfUnfinished();
		else this.#response.once('close', abortIfUnfinished);
		return controller.signal;
	}
}

/**
 * Writes JSON or a page in one call, with the fixed headers that it lacks. Setting those on the
 * response first would take longer, because Node then merges the headers one by one. The adapter's
 * own function writes every other response.
 */
const send = (
	response: ServerResponse,
	answer: Response,
	fixedHeaders: Map<string, string>
): void => {
	const { headers } = answer;
	if (!(answer instanceof TextResponse)) {
		response.setHeaders(fixedHeaders);
		// The adapter sets this too: otherwise some proxies buffer the events.
		if (headers.get('content-type') === 'text/event-stream') {
			response.setHeader('x-accel-buffering', 'no');
		}
		return setResponse(response, answer);
	}
	const all = ['content-length', String(Buffer.byteLength(answer.content))];
	const own = new Set<string>();
	for (const [name, value] of headers) {
		own.add(name);
		all.push(name, value);
	}
	for (const [name, value] of fixedHeaders) if (!own.has(name)) all.push(name, value);
	response.writeHead(answer.status, all).end(answer.content);
};
