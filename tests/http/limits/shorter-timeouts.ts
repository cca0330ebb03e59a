import http, { type Server, type ServerOptions } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';

// Loaded into a built server with --import: makes the timeouts for slow clients, as the server sets
// them, ten times shorter. The product has no such hook.
const HURRY = 10;

const { createServer } = http;
const withShorterTimeouts = (options: ServerOptions, ...rest: [http.RequestListener?]): Server => {
	const every = options.connectionsCheckingInterval;
	const server = createServer(
		{ ...options, ...(every !== undefined && { connectionsCheckingInterval: every / HURRY }) },
		...rest
	);
	for (const name of ['headersTimeout', 'requestTimeout', 'timeout'] as const) {
		let value = server[name];
		Object.defineProperty(server, name, {
			get: () => value,
			set: (milliseconds: number) => (value = milliseconds / HURRY)
		});
	}
	return server;
};
http.createServer = withShorterTimeouts as typeof createServer;
syncBuiltinESMExports();
