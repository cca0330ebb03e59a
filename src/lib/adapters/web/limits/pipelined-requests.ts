import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Browsers and proxies send one request at a time over a connection; few clients send some ahead. */
export const MAX_RUNNING = 32;
/** Unanswered requests of one connection. With more, it is cut. */
export const MAX_UNANSWERED = 1000;

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

interface Line {
	running: number;
	readonly waiting: (() => void)[];
}

/**
 * Serves at most 32 requests of a connection at once; the next ones wait for their responses. Node
 * would start all at once that arrive together: 64 KiB hold 2,000 requests, which would keep every
 * other client waiting.
 */
export const withPipelineBound = (serve: Serve): Serve => {
	const lines = new WeakMap<Socket, Line>();

	return (request, response) => {
		const { socket } = request;
		const line = lines.get(socket) ?? { running: 0, waiting: [] };
		lines.set(socket, line);

		const start = (): void => {
			line.running += 1;
			response.once('close', () => {
				line.running -= 1;
				const next = line.waiting.shift();
				if (!socket.destroyed) next?.();
			});
			serve(request, response);
		};
		if (line.running < MAX_RUNNING) start();
		else if (line.running + line.waiting.length < MAX_UNANSWERED) line.waiting.push(start);
		else socket.destroy();
	};
};
