import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Longer than any run leaves a connection idle, in milliseconds. */
const IDLE_FOR = 600_000;

/** Uses another instance if a connection is refused; it never repeats a request that was sent. */
export const startBalancer = async (port: number) => {
	let backends: readonly { readonly port: number; readonly agent: Agent }[] = [];
	const troubles: string[] = [];
	let turn = 0;

	const forward = (incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse): void => {
		turn += 1;
		const order = backends.map((_, i) => backends[(turn + i) % backends.length]);
		const fail = (why: string): void => {
			troubles.push(`${incoming.method} ${incoming.url}: ${why}`);
			outgoing.writeHead(502).end();
		};
		const tryNext = (): void => {
			const backend = order.shift();
			if (backend === undefined) return fail('no instance takes connections');
			const { method, url, headers } = incoming;
			const forwarded = request(
				{ agent: backend.agent, host: '127.0.0.1', port: backend.port, method, path: url, headers },
				(answer) => {
					const { connection: _, 'keep-alive': __, ...rest } = answer.headers;
					outgoing.writeHead(answer.statusCode ?? 502, rest);
					answer.pipe(outgoing);
					answer.on('error', (error) => {
						troubles.push(`${method} ${url}: ${error.message}`);
						outgoing.destroy();
					});
				}
			);
			forwarded.on('error', (error: NodeJS.ErrnoException) => {
				if (error.syscall === 'connect') tryNext();
				else fail(error.message);
			});
			forwarded.end(body);
		};
		tryNext();
	};
	const server = createServer((incoming, outgoing) => {
		const chunks: Buffer[] = [];
		incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
		incoming.on('end', () => forward(incoming, Buffer.concat(chunks), outgoing));
	});
	// Otherwise it could close a client’s connection at the moment the client sends, as a proxy may.
	server.keepAliveTimeout = IDLE_FOR;
	await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
	return {
		address: `http://localhost:${(server.address() as AddressInfo).port}`,
		/** What clients saw other than an answer of an instance. */
		troubles,
		/** The instances for requests from now on, in turn. */
		serve: (ports: readonly number[]) => {
			backends = ports.map(
				(one) =>
					backends.find(({ port: old }) => old === one) ?? {
						port: one,
						agent: new Agent({ keepAlive: true })
					}
			);
		},
		stop: async () => {
			for (const { agent } of backends) agent.destroy();
			server.closeAllConnections();
			await new Promise<void>((resolve) => server.close(() => resolve()));
		}
	};
};
