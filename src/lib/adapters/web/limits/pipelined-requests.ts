import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Browsers and proxies send one request at a time over a connection. Few clients pipeline. */
export const MAX_RUNNING = 32;
/** A connection with more unanswered requests is closed. */
export const MAX_UNANSWERED = 1000;

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

interface ConnectionQueue {
	running: number;
	readonly waiting: (() => void)[];
}

/**
 * Serves at most 32 requests of a connection at the same time. Further requests start when earlier
 * ones are answered. Node would start all of them at once: 64 KiB can hold 2,000 requests, which
 * would delay every other client.
 */
export const withPipelineBound = (serve: Serve): Serve => {
	const queues = new WeakMap<Socket, ConnectionQueue>();

	return (request, response) => {
		const { socket } = request;
		const queue = queues.get(socket) ?? { running: 0, waiting: [] };
		queues.set(socket, queue);

		const start = (): void => {
			queue.running += 1;
			response.once('close', () => {
				queue.running -= 1;
				const next = queue.waiting.shift();
				if (!socket.destroyed) next?.();
			});
			serve(request, response);
		};
		if (queue.running < MAX_RUNNING) start();
		else if (queue.running + queue.waiting.length < MAX_UNANSWERED) queue.waiting.push(start);
		else socket.destroy();
	};
};
