import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Browsers and proxies send one request at a time over a connection. Few clients send some ahead. */
export const MAX_UNANSWERED = 32;

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Closes a connection that sends too many requests without waiting for the responses. Node starts
 * all of them at once: 64 KiB hold 1,600 requests, and their responses would all stay in memory.
 */
export const withPipelineBound = (serve: Serve, most = MAX_UNANSWERED): Serve => {
	const unanswered = new WeakMap<Socket, number>();
	return (request, response) => {
		const { socket } = request;
		const count = (unanswered.get(socket) ?? 0) + 1;
		unanswered.set(socket, count);
		if (count > most) {
			socket.destroy();
			return;
		}
		response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
		serve(request, response);
	};
};
