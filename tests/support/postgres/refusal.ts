import { createServer, type Socket } from 'node:net';

/**
 * Answers each connection with this SQLSTATE and message; with null it closes without a message.
 */
export const refusingServer = async (
	refusal: { readonly code: string; readonly message: string } | null
) => {
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket.on('error', () => undefined));
		if (refusal === null) socket.end();
		else socket.once('data', () => socket.end(errorResponse(refusal)));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		port: (server.address() as { port: number }).port,
		close: () =>
			new Promise<void>((resolve) => {
				server.close(() => resolve());
				for (const socket of sockets) socket.destroy();
			})
	};
};

/** A message of the protocol: its kind, its length without the kind, its fields. */
const errorResponse = ({ code, message }: { code: string; message: string }): Buffer => {
	const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
	const head = Buffer.alloc(5);
	head.write('E');
	head.writeInt32BE(fields.length + 4, 1);
	return Buffer.concat([head, fields]);
};
