import { connect, createServer, type Socket } from 'node:net';

/** Stands between a server and its database; shut, it is a database that has been stopped. */
export interface TcpGate {
	readonly port: number;
	/** Cuts every connection and refuses new ones. */
	shut(): Promise<void>;
	/** Lets connections through again, on the same port. */
	open(): Promise<void>;
	/** Keeps every connection, takes new ones, and lets nothing through: a network that has gone silent. */
	freeze(): void;
	/** Lets through what has waited, and what comes. */
	thaw(): void;
	/**
	 * Lets new connections through; who holds a frozen one hears nothing on it for ever, not even
	 * that it is closed, as behind a firewall that has forgotten it.
	 */
	forget(): void;
}

export const openTcpGate = async (targetPort: number): Promise<TcpGate> => {
	const sockets = new Map<Socket, Socket>();
	/** The halves that lead to the database. */
	const outsides = new Set<Socket>();
	let frozen = false;
	const gate = createServer((inside) => {
		const outside = connect(targetPort, '127.0.0.1');
		outsides.add(outside);
		outside.on('close', () => outsides.delete(outside));
		for (const [socket, other] of [
			[inside, outside],
			[outside, inside]
		] as const) {
			sockets.set(socket, other);
			socket.on('error', () => undefined);
			socket.on('close', () => {
				sockets.delete(socket);
				other.destroy();
			});
			if (!frozen) socket.pipe(other);
		}
	});
	const listen = (port: number): Promise<void> =>
		new Promise((resolve, reject) => {
			gate.once('error', reject);
			gate.listen(port, '127.0.0.1', resolve);
		});
	await listen(0);
	const { port } = gate.address() as { port: number };
	return {
		port,
		open: () => listen(port),
		freeze: () => {
			frozen = true;
			for (const [socket, other] of sockets) socket.unpipe(other);
		},
		thaw: () => {
			frozen = false;
			for (const [socket, other] of sockets) socket.pipe(other);
		},
		forget: () => {
			frozen = false;
			for (const outside of outsides) {
				sockets.delete(outside);
				outside.removeAllListeners('close').destroy();
			}
			outsides.clear();
		},
		shut: () =>
			new Promise((resolve) => {
				gate.close(() => resolve());
				for (const socket of sockets.keys()) socket.destroy();
			})
	};
};
