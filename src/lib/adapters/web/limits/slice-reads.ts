import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { batchedWrites, type UncorkLater } from './batched-writes.ts';
import type { FairTurns } from './fair-turns.ts';
import { SlicedConnection } from './sliced-connection.ts';

/**
 * Makes a server parse what its connections receive in slices, and write its responses in batches.
 * Node documents that any Duplex can be passed to the server's `connection` event.
 */
export const sliceReads = (
	server: Server,
	turns: FairTurns,
	uncorkLater: UncorkLater = batchedWrites()
): void => {
	const listeners = server.listeners('connection');
	server.removeAllListeners('connection');
	server.on('connection', (socket: Socket) => {
		const sliced = new SlicedConnection(socket, turns, uncorkLater);
		for (const listener of listeners) listener.call(server, sliced);
	});
};
