import { connect, createServer, type Socket } from 'node:net';

/** Stands between a server and its database; when shut, it acts like a stopped database. */
export const openTcpGate = async (targetPort: number) => {
	const sockets = new Map<Socket, Socket>();
	/** The sockets to the database. */
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
		/** Lets connections through again, on the same port. */
		open: () => listen(port),
		/** Keeps every connection, accepts new ones, and forwards nothing: a silent network. */
		freeze: () => {
			frozen = true;
			for (const [socket, other] of sockets) socket.unpipe(other);
		},
		/** Forwards the waiting data, and all later data. */
		thaw: () => {
			frozen = false;
			for (const [socket, other] of sockets) socket.pipe(other);
		},
		/**
		 * Accepts new connections; a frozen one stays silent for ever and is never closed, as behind a
		 * firewall that has dropped its state.
		 */
		forget: () => {
			frozen = false;
			for (const outside of outsides) {
				sockets.delete(outside);
				outside.removeAllListeners('close').destroy();
			}
			outsides.clear();
		},
		/** Cuts every connection and refuses new ones. */
		shut: () =>
			new Promise<void>((resolve) => {
				gate.close(() => resolve());
				for (const socket of sockets.keys()) socket.destroy();
			})
	};
};

export type TcpGate = Awaited<ReturnType<typeof openTcpGate>>;
