import { Agent } from 'node:http';

/**
 * For every call of a test to a built server. Three times as many concurrent requests as the server has
 * connections to its database. More would wait in the server, on a busy machine for longer than its time
 * limit for the database.
 */
export const agent = new Agent({ keepAlive: true, maxSockets: 32 });

/**
 * For a test that has kept this process busy for seconds: the server may have closed the idle
 * connections, which the next call must not use.
 */
export const dropIdleConnections = (): void => agent.destroy();

/** A stopping server waits a moment for requests on idle connections. */
export const closeIdleConnections = (port: number): void => {
	for (const [name, sockets] of Object.entries(agent.freeSockets)) {
		if (name.split(':')[1] === String(port)) for (const socket of sockets ?? []) socket.destroy();
	}
};
