import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { announceStop, isStopping } from '#lib/adapters/system/stopping.ts';

/** How long running requests may take to finish at shutdown. */
const DRAIN_MS = 10_000;
/** How long connections that are open at shutdown may still send a request. */
const LINGER_MS = 1000;
/** A turn of the event loop that takes less time did almost no work. */
const SHORT_TURN_MS = 1;

/**
 * Stops the server on SIGTERM or SIGINT without failed requests behind a load balancer. The next
 * response on each open connection says that it is the last one.
 */
export const stopOnSignal = (server: Server): void => {
	const connections = new Set<Socket>();
	/** The last response of each connection. */
	const responses = new Map<Socket, ServerResponse>();
	const counts = { connections: 0, requests: 0 };
	server.on('connection', (connection: Socket) => {
		counts.connections += 1;
		connections.add(connection);
		connection.once('close', () => connections.delete(connection));
	});
	// Runs before the handler, which can respond at once.
	server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
		counts.requests += 1;
		if (isStopping()) closeAfterResponse(response);
		if (!responses.has(socket)) socket.once('close', () => responses.delete(socket));
		responses.set(socket, response);
	});
	const areFlushed = (): boolean =>
		[...responses.values()].every((one) => !one.writableEnded || one.writableFinished);
	const closeIdle = (): void => {
		server.closeIdleConnections();
		// The server treats a connection as idle only after its first request.
		for (const connection of connections) if (connection.bytesRead === 0) connection.destroy();
	};
	const end = (signal: NodeJS.Signals): void => {
		announceStop();
		for (const response of responses.values()) closeAfterResponse(response);
		// Not the method of the HTTP server, which would close idle connections: a load balancer may
		// be sending a request on one.
		NetServer.prototype.close.call(server, () =>
			process.emit('sveltekit:shutdown' as 'exit', signal as never)
		);
		// A request may have arrived but not been read yet. The server also treats a connection as
		// idle while a complete response still has to be written.
		setTimeout(() => afterShortTurn(() => counts.requests, areFlushed, closeIdle), LINGER_MS);
		setTimeout(() => server.closeAllConnections(), DRAIN_MS).unref();
	};
	let hasBegun = false;
	/**
	 * New connections wait in a queue of the system. When the server stops listening, the system
	 * closes them and loses what clients sent on them. So the server stops only after a short turn
	 * of the event loop without a new connection.
	 */
	const shutDown = (signal: NodeJS.Signals): void => {
		if (hasBegun) return;
		hasBegun = true;
		afterShortTurn(
			() => counts.connections,
			() => true,
			() => end(signal)
		);
	};
	// The listeners stay: without one, a second signal would end the process at once. A terminal
	// and the tool that runs this process both send a signal.
	process.on('SIGTERM', shutDown).on('SIGINT', shutDown);
};

/**
 * Runs `work` after a short turn of the event loop in which `count` did not change, if `isReady`,
 * or after `LINGER_MS`. The system queues events while the process is busy; after such a turn,
 * there are none left.
 */
const afterShortTurn = (count: () => number, isReady: () => boolean, work: () => void): void => {
	const latest = performance.now() + LINGER_MS;
	let [began, before] = [-Infinity, count()];
	const turn = (): void => {
		const now = performance.now();
		const isShort = now - began < SHORT_TURN_MS && count() === before;
		if ((isShort && isReady()) || now > latest) return work();
		[began, before] = [now, count()];
		setImmediate(turn);
	};
	// From one `setImmediate` callback to the next is one full turn.
	setImmediate(turn);
};

const closeAfterResponse = (response: ServerResponse): void => {
	if (!response.headersSent) response.setHeader('connection', 'close');
};
