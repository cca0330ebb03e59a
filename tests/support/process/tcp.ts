import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A server on a port of this machine; its connections end with it. */
export const tcpServer = async (serve: (socket: Socket) => void) => {
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
		serve(socket);
	});
	const listen = async (port: number): Promise<void> => {
		server.listen(port, '127.0.0.1');
		await once(server, 'listening');
	};
	await listen(0);
	const { port } = server.address() as AddressInfo;
	return {
		port,
		/** How many connections are open. */
		open: () => sockets.size,
		stop: async () => {
			const closed = once(server, 'close');
			server.close();
			for (const socket of sockets) socket.destroy();
			await closed;
		},
		/** Listens again on the same port, after `stop`. */
		restart: () => listen(port)
	};
};

/** Connects a connection with a port of this machine. If either end closes, so does the other. */
export const joined = (inside: Socket, port: number): Socket => {
	const outside = connect(port, '127.0.0.1').on('error', () => undefined);
	inside.on('close', () => outside.destroy());
	return outside.on('close', () => inside.destroy());
};

/** Stands between a server and its database; when shut, it acts like a stopped database. */
export const openTcpGate = async (targetPort: number) => {
	/** From the server to the database. */
	const pairs = new Map<Socket, Socket>();
	let frozen = false;
	const gate = await tcpServer((inside) => {
		const outside = joined(inside, targetPort);
		pairs.set(inside, outside);
		inside.on('close', () => pairs.delete(inside));
		if (!frozen) inside.pipe(outside).pipe(inside);
	});
	return {
		port: gate.port,
		/** Cuts every connection and refuses new ones. */
		shut: gate.stop,
		/** Lets connections through again, on the same port. */
		open: gate.restart,
		/** Keeps every connection, accepts new ones, and forwards nothing: a silent network. */
		freeze: () => {
			frozen = true;
			for (const [inside, outside] of pairs) {
				inside.unpipe(outside);
				outside.unpipe(inside);
			}
		},
		/** Forwards the waiting data, and all later data. */
		thaw: () => {
			frozen = false;
			for (const [inside, outside] of pairs) inside.pipe(outside).pipe(inside);
		},
		/**
		 * Accepts new connections; a frozen one stays silent for ever and is never closed, as behind a
		 * firewall that has dropped its state.
		 */
		forget: () => {
			frozen = false;
			for (const outside of pairs.values()) outside.removeAllListeners('close').destroy();
			pairs.clear();
		}
	};
};

export type TcpGate = Awaited<ReturnType<typeof openTcpGate>>;
