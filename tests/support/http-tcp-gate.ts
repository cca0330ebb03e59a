import { connect, createServer, type Socket } from 'node:net';

/** Stands between a server and its database; shut, it is a database that has been stopped. */
export interface TcpGate {
	readonly port: number;
	/** Cuts every connection and refuses new ones. */
	shut(): Promise<void>;
	/** Lets connections through again, on the same port. */
	open(): Promise<void>;
}

export const openTcpGate = async (targetPort: number): Promise<TcpGate> => {
	const sockets = new Set<Socket>();
	const gate = createServer((inside) => {
		const outside = connect(targetPort, '127.0.0.1');
		for (const [socket, other] of [
			[inside, outside],
			[outside, inside]
		] as const) {
			sockets.add(socket);
			socket.on('error', () => undefined);
			socket.on('close', () => {
				sockets.delete(socket);
				other.destroy();
			});
			socket.pipe(other);
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
		shut: () =>
			new Promise((resolve) => {
				gate.close(() => resolve());
				for (const socket of sockets) socket.destroy();
			})
	};
};
