import { Agent } from 'node:http';

/** For every call of a test to a built server. */
export const agent = new Agent({ keepAlive: true, maxSockets: 100 });

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
