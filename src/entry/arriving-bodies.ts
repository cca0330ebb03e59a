import { IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { limitKey } from '#lib/adapters/web/edge/limits/client-address.ts';

/** Of the arriving bodies of all clients together. */
export const MAX_BYTES = 16 * 1024 * 1024;
export const MAX_PER_CLIENT = 16;
/** What each piece of a body takes beside its bytes. The client decides how long its pieces are. */
const PIECE = 512;

interface Body {
	readonly request: IncomingMessage;
	readonly response: ServerResponse;
	readonly client: string;
	bytes: number;
}

/**
 * Bounds the bodies that are arriving, whichever code reads them. A client with more than 16 loses
 * its oldest one. Above 16 MiB, the client with the most bytes loses its oldest one. Only received
 * bytes count, so large bodies cannot keep out a small one.
 */
export const withBodyBound = (
	serve: RequestListener,
	addressOf: (request: IncomingMessage) => string
): RequestListener => {
	/** Oldest first. */
	const bodies = new Set<Body>();
	/** The sum of all bodies, ended ones included until the next `enforce`. Never too low. */
	let bytes = 0;

	const drop = (body: Body): void => {
		bodies.delete(body);
		const { socket } = body.request;
		// Node's answer to slow clients, unless a response on this connection has begun.
		if (body.response.socket === socket && !body.response.headersSent) socket.write(TIMED_OUT);
		socket.destroy();
	};
	const enforce = (client: string): void => {
		for (const body of bodies) {
			if (body.request.destroyed || body.request.socket.destroyed) bodies.delete(body);
		}
		const own = [...bodies].filter((body) => body.client === client && !body.request.complete);
		own.slice(0, -MAX_PER_CLIENT).forEach(drop);
		for (bytes = sum(bodies); bytes > MAX_BYTES; bytes = sum(bodies)) {
			largestClient(bodies).slice(0, 1).forEach(drop);
		}
	};

	return (request, response) => {
		if (hasBody(request)) {
			const body = { request, response, client: limitKey(addressOf(request)), bytes: 0 };
			bodies.add(body);
			// The HTTP parser passes each piece of the body to this method.
			request.push = (piece: Buffer | null): boolean => {
				const more = piece === null ? 0 : piece.length + PIECE;
				body.bytes += more;
				bytes += more;
				if (bytes > MAX_BYTES) enforce(body.client);
				return IncomingMessage.prototype.push.call(request, piece);
			};
			// When this runs, a body that arrived together with its headers is complete.
			setImmediate(enforce, body.client);
		}
		serve(request, response);
	};
};

const TIMED_OUT = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n';

const hasBody = ({ headers }: IncomingMessage): boolean =>
	headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const sum = (bodies: Iterable<Body>): number =>
	[...bodies].reduce((all, body) => all + body.bytes, 0);

const largestClient = (bodies: Iterable<Body>): readonly Body[] =>
	[...Map.groupBy(bodies, ({ client }) => client).values()].toSorted(
		(one, other) => sum(other) - sum(one)
	)[0] ?? [];
