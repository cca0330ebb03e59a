import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy to a local mail server that can hold back data after an email was handed over. */
export const openHeldLine = async (targetPort: number) => {
	const inner = new Set<Socket>();
	let held = false;
	const server = createServer((client) => {
		const target = connect(targetPort, '127.0.0.1');
		inner.add(target);
		client.on('error', () => undefined).on('close', () => target.destroy());
		target
			.on('error', () => undefined)
			.on('close', () => {
				inner.delete(target);
				client.destroy();
			});
		client.pipe(target);
		target.on('data', (data: Buffer) => {
			client.write(data);
			// The server expects the text.
			if (held && /^354/m.test(data.toString('latin1'))) target.pause();
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		port: (server.address() as AddressInfo).port,
		/**
		 * From now on the server’s answer to the text of an email, and all later data, does not arrive.
		 */
		hold: () => {
			held = true;
		},
		/** Delivers the held data and everything after it. */
		release: () => {
			held = false;
			for (const target of inner) target.resume();
		},
		stop: async () => {
			for (const target of inner) target.destroy();
			await new Promise<void>((resolve) => server.close(() => resolve()));
		}
	};
};
