import { Agent } from 'node:http';

/** Of every call a test makes to a built server. */
export const agent = new Agent({ keepAlive: true, maxSockets: 100 });

/**
 * For a test that has kept this process busy for seconds: meanwhile the server may have closed the
 * idle connections, and the next call must not meet one of them.
 */
export const dropIdleConnections = (): void => agent.destroy();

/** A server that is told to stop waits a moment for what idle connections may still bring. */
export const closeIdleConnections = (port: number): void => {
	for (const [name, sockets] of Object.entries(agent.freeSockets)) {
		if (name.split(':')[1] === String(port)) for (const socket of sockets ?? []) socket.destroy();
	}
};
