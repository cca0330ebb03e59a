import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Stands before a server and removes settings from the first message of each connection. */
export const forgetfulPooler = async (targetPort: number, settings: readonly string[]) => {
	const sockets = new Set<Socket>();
	const server = createServer((inside) => {
		const outside = connect(targetPort, '127.0.0.1');
		for (const [socket, other] of [
			[inside, outside],
			[outside, inside]
		] as const) {
			sockets.add(socket.on('error', () => undefined));
			socket.on('close', () => other.destroy());
		}
		inside.once('data', (startup) => {
			outside.write(without(settings, startup));
			inside.pipe(outside).pipe(inside);
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		port: (server.address() as { port: number }).port,
		close: async () => {
			for (const socket of sockets) socket.destroy();
			server.close();
			await once(server, 'close');
		}
	};
};

/** The message has its length, the version of the protocol, names and values, and an empty name. */
const without = (settings: readonly string[], startup: Buffer): Buffer => {
	const texts = startup.subarray(8).toString('latin1').split('\0');
	const kept = texts.filter((_, i) => !settings.includes(texts[i - (i % 2)] ?? ''));
	const body = Buffer.from(kept.join('\0'), 'latin1');
	const head = Buffer.from(startup.subarray(0, 8));
	head.writeInt32BE(body.length + 8);
	return Buffer.concat([head, body]);
};
