import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { patchGlobalRequest } from 'srvx/node';
import { describeTrust } from '#lib/adapters/web/describe-trust.ts';
import { withPipelineBound } from '#lib/adapters/web/limits/pipelined-requests.ts';
import { withBodyPlaces } from '#lib/adapters/web/limits/body-places.ts';
import { nodeClientAddress } from '#lib/adapters/web/limits/node-client-address.ts';
import { refuseBody } from '#lib/adapters/web/limits/refuse-body.ts';
import { securityHeaders } from '#lib/adapters/web/security-headers.ts';
import { describeProblem, readConfig, type Config } from '#lib/config.server.ts';
import { apiFastPath, type Framework } from './api-fast-path.ts';
import { loadEnvironment } from './env-file.ts';
import { ensureBuild } from './fresh-build.ts';
import { requestEntry } from './request-entry.ts';
import { startLines } from './start-lines.ts';
import { stopOnSignal } from './stop-on-signal.ts';
import { TypedResponse } from './typed-response.ts';

/** Bounds for clients that send slowly or not at all, and how often they are looked at, in milliseconds. */
const HEADERS_TIMEOUT = 15_000;
const REQUEST_TIMEOUT = 30_000;
const CHECK_EVERY = 5000;
/** For clients that do not read what they asked for; longer, as the others are told why. */
const STALL_TIMEOUT = 45_000;

/**
 * How long an idle connection is kept, in milliseconds: longer than nginx and most load balancers keep
 * theirs (60 s), so that the proxy is the one to close it and never sends into one that is going.
 */
const KEEP_ALIVE_TIMEOUT = 65_000;

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
	const build = await loadBuild();
	// A bug in one request, or in work that follows it, is no reason to drop everybody else's.
	process.on('unhandledRejection', (error) => complain('unhandled rejection', error));
	process.on('uncaughtException', (error) => complain('uncaught exception', error));
	await listen(config, build);
	announce(config);
};

interface Build {
	readonly handler: (
		request: IncomingMessage,
		response: ServerResponse,
		next: () => void
	) => unknown;
	readonly framework: Framework;
}

/** Loading the handler composes the application: it opens and migrates the database. */
const loadBuild = async (): Promise<Build> => {
	// The adapter's own ideas about addresses would compete with AUTH_URL.
	for (const name of ['ADDRESS_HEADER', 'XFF_DEPTH', 'HOST_HEADER', 'PORT_HEADER']) {
		delete process.env[name];
	}
	process.env['PROTOCOL_HEADER'] = PROTOCOL_HEADER;
	// So that `new Request(event.request)` takes the requests of the fast path as well.
	patchGlobalRequest();
	const load = (file: string): Promise<unknown> =>
		import(pathToFileURL(join(process.cwd(), 'build', file)).href);
	const { handler } = (await load('handler.js')) as Pick<Build, 'handler'>;
	return { handler, framework: (await load('adapter-node.js')) as Framework };
};

const listen = async (config: Config, { handler, framework }: Build): Promise<void> => {
	const { protocol, host } = new URL(config.origin);
	const headers = securityHeaders(config.secure) as Map<string, string>;
	const fastPath = apiFastPath(framework, { protocol, host }, headers);
	// The site's own origin is AUTH_URL, whatever Host or forwarded headers claim.
	const ownHeaders = { host, [PROTOCOL_HEADER]: protocol.slice(0, -1) };
	const admit = requestEntry(ownHeaders, headers);
	const serve = (request: IncomingMessage, response: ServerResponse): void => {
		const answering =
			fastPath(request, response) ??
			handler(request, response.setHeaders(headers), () => response.writeHead(404).end());
		// Whatever escapes the framework ends this request, not the process with all the others.
		Promise.resolve(answering).catch((error: unknown) => {
			complain('request', error);
			if (!response.headersSent) response.setHeaders(headers).writeHead(500);
			response.end();
		});
	};
	const bounded = withBodyPlaces(serve, {
		addressOf: nodeClientAddress(config.trustedProxies),
		refuse: refuseBody(headers),
		elapsed: () => performance.now()
	});
	const options = {
		connectionsCheckingInterval: CHECK_EVERY,
		ServerResponse: TypedResponse,
		// Otherwise Node drops the second of two, and only some readers of the request see it.
		joinDuplicateHeaders: true
	};
	const server = createServer(
		options,
		withPipelineBound((request, response) => {
			if (admit(request, response)) bounded(request, response);
		})
	);
	server.headersTimeout = HEADERS_TIMEOUT;
	server.requestTimeout = REQUEST_TIMEOUT;
	server.timeout = STALL_TIMEOUT;
	server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT;

	stopOnSignal(server);

	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(config.port, config.host, resolve);
	});
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
