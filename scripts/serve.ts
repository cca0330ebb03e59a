import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { announceStop, isStopping } from '#lib/adapters/system/stopping.ts';
import { describeTrust } from '#lib/adapters/web/describe-trust.ts';
import { securityHeaders } from '#lib/adapters/web/security-headers.ts';
import { describeProblem, readConfig, type Config } from '#lib/config.server.ts';
import { loadEnvironment } from './env-file.ts';
import { ensureBuild } from './fresh-build.ts';
import { startLines } from './start-lines.ts';

/** How long requests that are under way may take to finish at shutdown, in milliseconds. */
const DRAIN = 10_000;
/** How long a connection that is open at shutdown may still bring a request, in milliseconds. */
const LINGER = 1000;
/** A turn of the event loop in which next to nothing was done, in milliseconds. */
const SHORT_TURN = 1;
/** Bounds for clients that send slowly or not at all, and how often they are looked at, in milliseconds. */
const HEADERS_TIMEOUT = 15_000;
const REQUEST_TIMEOUT = 30_000;
const CHECK_EVERY = 5000;
/** For clients that do not read what they asked for; longer, as the others are told why. */
const STALL_TIMEOUT = 45_000;

/** Read by the framework's adapter instead of guessing the scheme; set on every request by us. */
const PROTOCOL_HEADER = 'x-postern-protocol';

const say = (line: string): void => console.log(`[postern] ${line}`);
const stop = (lines: readonly string[]): never => {
	for (const line of lines) console.error(`[postern] ${line}`);
	process.exit(1);
};

const complain = (where: string, error: unknown): void =>
	console.error(
		JSON.stringify({
			time: new Date().toISOString(),
			event: 'fault',
			where,
			fault: error instanceof Error ? (error.stack ?? error.message) : String(error)
		})
	);

const main = async (): Promise<void> => {
	loadEnvironment(say);
	const read = readConfig(process.env);
	if (!read.ok) return stop(read.error.map(describeProblem));
	const config = read.value;
	ensureBuild(say);
	// Nobody to print for is no fault: reported as one, it would be printed, and so on for ever.
	for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
	const handler = await loadHandler();
	// A bug in one request, or in work that follows it, is no reason to drop everybody else's.
	process.on('unhandledRejection', (error) => complain('unhandled rejection', error));
	process.on('uncaughtException', (error) => complain('uncaught exception', error));
	await listen(config, handler);
	announce(config);
};

type Handler = (request: IncomingMessage, response: unknown, next: () => void) => unknown;

/** Loading the handler composes the application: it opens and migrates the database. */
const loadHandler = async (): Promise<Handler> => {
	// The adapter's own ideas about addresses would compete with AUTH_URL.
	for (const name of ['ADDRESS_HEADER', 'XFF_DEPTH', 'HOST_HEADER', 'PORT_HEADER']) {
		delete process.env[name];
	}
	process.env['PROTOCOL_HEADER'] = PROTOCOL_HEADER;
	const { handler } = (await import(pathToFileURL(join('build', 'handler.js')).href)) as {
		handler: Handler;
	};
	return handler;
};

const listen = async (config: Config, handler: Handler): Promise<void> => {
	const { protocol, host } = new URL(config.origin);
	const headers = securityHeaders(config.secure);
	const server = createServer({ connectionsCheckingInterval: CHECK_EVERY }, (request, response) => {
		// The site's own origin is AUTH_URL, whatever Host or forwarded headers claim.
		request.headers['host'] = host;
		request.headers[PROTOCOL_HEADER] = protocol.slice(0, -1);
		response.setHeaders(headers as Map<string, string>);
		// Whatever escapes the framework ends this request, not the process with all the others.
		Promise.resolve(handler(request, response, () => response.writeHead(404).end())).catch(
			(error: unknown) => {
				complain('request', error);
				if (!response.headersSent) response.writeHead(500);
				response.end();
			}
		);
	});
	server.headersTimeout = HEADERS_TIMEOUT;
	server.requestTimeout = REQUEST_TIMEOUT;
	server.timeout = STALL_TIMEOUT;

	stopOnSignal(server);

	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(config.port, config.host, resolve);
	});
};

/**
 * Ends the server by SIGTERM or SIGINT, without a fault for anybody behind a balancer. Whoever holds
 * an open connection hears with the next answer that it was the last one.
 */
const stopOnSignal = (server: Server): void => {
	const connections = new Set<Socket>();
	const underWay = new Set<ServerResponse>();
	let arrived = false;
	server.on('connection', (connection: Socket) => {
		arrived = true;
		connections.add(connection);
		connection.once('close', () => connections.delete(connection));
	});
	// Before the handler, which may answer at once.
	server.prependListener('request', (_request, response: ServerResponse) => {
		if (isStopping()) sayLast(response);
		underWay.add(response);
		response.once('close', () => underWay.delete(response));
	});
	const end = (signal: NodeJS.Signals): void => {
		announceStop();
		for (const response of underWay) sayLast(response);
		// Not the method of the HTTP server, which would cut connections that are idle: a balancer may
		// be sending a request on one right now.
		NetServer.prototype.close.call(server, () =>
			process.emit('sveltekit:shutdown' as 'exit', signal as never)
		);
		setTimeout(() => {
			server.closeIdleConnections();
			// To the server one is only idle after its first request.
			for (const connection of connections) if (connection.bytesRead === 0) connection.destroy();
		}, LINGER);
		setTimeout(() => server.closeAllConnections(), DRAIN).unref();
	};
	let told = false;
	/**
	 * Connections that clients have made wait in a queue of the system, and are cut, whatever was sent
	 * on them, when nobody listens any more. So it ends after a turn of the event loop that was short
	 * and brought none.
	 */
	const shutDown = (signal: NodeJS.Signals): void => {
		if (told) return;
		told = true;
		const latest = performance.now() + LINGER;
		let began = -Infinity;
		const turn = (): void => {
			const now = performance.now();
			if ((!arrived && now - began < SHORT_TURN) || now > latest) return end(signal);
			arrived = false;
			began = now;
			setImmediate(turn);
		};
		// From one of these to the next is a whole turn.
		setImmediate(turn);
	};
	// For good: a signal nobody listens for any more would end the process at once. A terminal and
	// the tool in front of it both send one.
	process.on('SIGTERM', shutDown).on('SIGINT', shutDown);
};

const sayLast = (response: ServerResponse): void => {
	if (!response.headersSent) response.setHeader('connection', 'close');
};

const announce = (config: Config): void => {
	const where = config.database.kind === 'sqlite' ? config.database.url : 'PostgreSQL';
	say(describeTrust(config.trustedProxies));
	for (const line of config.warnings) say(`warning: ${line}`);
	say(`listening on ${config.host}:${config.port}, database ${where}`);
	for (const line of startLines(config)) say(line);
};

/** A line for a person instead of a stack; a code of the system such as EADDRINUSE says enough. */
const explain = (error: unknown): string => {
	if (!(error instanceof Error)) return String(error);
	if ('code' in error && error.code === 'EADDRINUSE') {
		return `PORT: ${error.message}. Stop the other server or set PORT to another number`;
	}
	return error.message;
};

await main().catch((error: unknown) => stop([`could not start: ${explain(error)}`]));
