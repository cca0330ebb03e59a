import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { announceStop, isStopping } from '#lib/adapters/system/stopping.ts';

/** How long requests that are under way may take to finish at shutdown, in milliseconds. */
const DRAIN = 10_000;
/** How long a connection that is open at shutdown may still bring a request, in milliseconds. */
const LINGER = 1000;
/** A turn of the event loop in which next to nothing was done, in milliseconds. */
const SHORT_TURN = 1;

/**
 * Ends the server by SIGTERM or SIGINT, without a fault for anybody behind a balancer. Whoever holds
 * an open connection hears with the next answer that it was the last one.
 */
export const stopOnSignal = (server: Server): void => {
	/** With the last answer of each, which is null before its first request. */
	const connections = new Map<Socket, ServerResponse | null>();
	let arrived = false;
	server.on('connection', (connection: Socket) => {
		arrived = true;
		connections.set(connection, null);
		connection.once('close', () => connections.delete(connection));
	});
	// Before the handler, which may answer at once.
	server.prependListener('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
		if (isStopping()) sayLast(response);
		connections.set(socket, response);
	});
	const end = (signal: NodeJS.Signals): void => {
		announceStop();
		for (const response of connections.values()) if (response !== null) sayLast(response);
		// Not the method of the HTTP server, which would cut connections that are idle: a balancer may
		// be sending a request on one right now.
		NetServer.prototype.close.call(server, () =>
			process.emit('sveltekit:shutdown' as 'exit', signal as never)
		);
		setTimeout(() => {
			server.closeIdleConnections();
			// To the server one is only idle after its first request.
			for (const connection of connections.keys())
				if (connection.bytesRead === 0) connection.destroy();
		}, LINGER);
		setTimeout(() => server.closeAllConnections(), DRAIN).unref();
	};
	let told = false;
	/**
	 * Connections that clients have made wait in a queue of the system, and are cut, whatever was sent
	 * on them, when nobody listens any more. So it ends after a turn of the event loop that was short
	 * and brought none.
	 */
	const shutDown = (signal: NodeJS.Signals): void => {
		if (told) return;
		told = true;
		const latest = performance.now() + LINGER;
		let began = -Infinity;
		const turn = (): void => {
			const now = performance.now();
			if ((!arrived && now - began < SHORT_TURN) || now > latest) return end(signal);
			arrived = false;
			began = now;
			setImmediate(turn);
		};
		// From one of these to the next is a whole turn.
		setImmediate(turn);
	};
	// For good: a signal nobody listens for any more would end the process at once. A terminal and
	// the tool in front of it both send one.
	process.on('SIGTERM', shutDown).on('SIGINT', shutDown);
};

const sayLast = (response: ServerResponse): void => {
	if (!response.headersSent) response.setHeader('connection', 'close');
};
