import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FairTurns } from './fair-turns.ts';
import { SlicedConnection } from './sliced-connection.ts';

/** With more unanswered requests than this, the server parses no more of the connection. */
export const HOLD_ABOVE = 16;
/** With more than this, the server closes the connection. One read can contain hundreds. */
export const MAX_UNANSWERED = 1000;

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

interface Unanswered {
	isRunning: boolean;
	readonly waiting: (() => void)[];
}

/**
 * Serves the requests of a connection one at a time. Node would start all requests that arrive
 * together, although it must answer them in order: 64 KiB hold 2,000 requests. The other requests
 * wait for the response and then for a turn, so they cannot delay the requests of other clients.
 * Browsers and proxies send no request before they have the response to the last one.
 */
export const withPipelineBound = (serve: Serve, turns: FairTurns): Serve => {
	const connections = new WeakMap<Duplex, Unanswered>();
	const unansweredOn = (connection: Duplex): Unanswered => {
		const known = connections.get(connection);
		if (known !== undefined) return known;
		const created = { isRunning: false, waiting: [] };
		connections.set(connection, created);
		return created;
	};

	return (request, response) => {
		const socket: Duplex = request.socket;
		const unanswered = unansweredOn(socket);
		const { waiting } = unanswered;
		const start = (): void => {
			if (socket.destroyed) return;
			response.once('close', startNext);
			serve(request, response);
		};
		const startNext = (): void => {
			const next = waiting.shift();
			if (next === undefined) unanswered.isRunning = false;
			else turns.add(next);
			if (waiting.length < HOLD_ABOVE && socket instanceof SlicedConnection) socket.release();
		};
		if (!unanswered.isRunning) {
			unanswered.isRunning = true;
			start();
			return;
		}
		waiting.push(start);
		if (waiting.length >= MAX_UNANSWERED) socket.destroy();
		else if (waiting.length >= HOLD_ABOVE && socket instanceof SlicedConnection) socket.hold();
	};
};
