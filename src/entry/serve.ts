import { createServer, ServerResponse, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { refuseStart, say } from '#lib/operator-messages.ts';
import { processLog } from '#lib/adapters/system/process-log.ts';
import { securityHeaders } from '#lib/adapters/web/http/security-headers.ts';
import { readConfig, type Config } from '#lib/config.server.ts';
import { clientAddresses } from '#lib/adapters/web/edge/limits/client-address.ts';
import { withBodyBound } from './arriving-bodies.ts';
import { describeTrust, startLine } from './start-lines.ts';
import { openFastPath } from './fast-path.ts';
import { loadEnvironment } from './env-file.ts';
import { requestEntry } from './request-entry.ts';
import { stopOnSignal } from './stop-on-signal.ts';

/** Limits for clients that send slowly or not at all, and the check interval. */
const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 30_000;
const CHECK_EVERY_MS = 5000;
/** For clients that do not read. Longer: the limits above send an error response. */
const STALL_TIMEOUT_MS = 45_000;

/**
 * How long an idle connection stays open. Nginx and most load balancers close theirs after 60 s. So
 * the proxy closes the connection and never sends a request on one that is closing.
 */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

/** The framework's adapter reads the scheme from this header. We set it on every request. */
const PROTOCOL_HEADER = 'x-postern-protocol';

/** Writes faults to standard error, in the form of the log. */
const log = processLog(process.stderr);

/** Starts the server with the build in this folder, or ends the process with a line for each problem. */
export const serve = (folder: string): Promise<void> =>
	start(folder).catch((error: unknown) => refuseStart([`could not start: ${explain(error)}`]));

const start = async (folder: string): Promise<void> => {
	loadEnvironment(say);
	const read = readConfig(process.env);
	if (!read.ok) return refuseStart(read.error);
	const config = read.value;
	// Ignore write errors on stdout and stderr: reporting them would recurse.
	for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
	const build = await loadBuild(folder);
	// A bug in one request, or in its background work, must not end the requests of other clients.
	process.on('unhandledRejection', (error) => log.fault('unhandled rejection', error));
	process.on('uncaughtException', (error) => log.fault('uncaught exception', error));
	await listen(config, build);
	announce(config);
};

interface Build {
	readonly handler: (
		request: IncomingMessage,
		response: ServerResponse,
		next: () => void
	) => unknown;
	/** What the adapter's own handler imports. */
	readonly framework: object;
}

/** Loads the handler, which composes the application: it opens and migrates the database. */
const loadBuild = async (folder: string): Promise<Build> => {
	// The adapter's own address settings would conflict with AUTH_URL.
	for (const name of ['ADDRESS_HEADER', 'XFF_DEPTH', 'HOST_HEADER', 'PORT_HEADER']) {
		delete process.env[name];
	}
	process.env['PROTOCOL_HEADER'] = PROTOCOL_HEADER;
	const load = (file: string): Promise<object> => import(pathToFileURL(join(folder, file)).href);
	const { handler } = (await load('handler.js')) as Pick<Build, 'handler'>;
	return { handler, framework: await load('adapter-node.js').catch(() => ({})) };
};

const listen = async (config: Config, { handler, framework }: Build): Promise<void> => {
	const { protocol, host } = new URL(config.origin);
	const headers = securityHeaders(config.secure) as Map<string, string>;
	const fastPath = await openFastPath(framework, config.origin, headers, (reason) =>
		say(`the framework's adapter answers all requests: ${reason}`)
	);
	// The site's own origin is AUTH_URL, whatever Host or forwarded headers contain.
	const ownHeaders = { host, [PROTOCOL_HEADER]: protocol.slice(0, -1) };
	const admit = requestEntry(ownHeaders, headers);
	const answer = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> =>
		fastPath(request, response) ??
		handler(request, response.setHeaders(headers), () => response.writeHead(404).end());
	const answerSafely = (request: IncomingMessage, response: ServerResponse): void => {
		// An error outside the framework fails this request, not the process with all others.
		answer(request, response).catch((error: unknown) => {
			log.fault('request', error);
			if (!response.headersSent) response.setHeaders(headers).writeHead(500);
			response.end();
		});
	};
	// Reads the client address before the framework sees the request, by the same rules.
	const { read } = clientAddresses(config.trustedProxies);
	const bounded = withBodyBound(answerSafely, ({ headers, socket }) =>
		read({
			peer: socket.remoteAddress,
			forwardedFor: headers['x-forwarded-for']?.toString() ?? null,
			realIp: headers['x-real-ip']?.toString() ?? null
		})
	);
	const options = {
		connectionsCheckingInterval: CHECK_EVERY_MS,
		ServerResponse: TypedResponse,
		// Otherwise Node drops the second of two equal headers, and only some readers see it.
		joinDuplicateHeaders: true
	};
	const server = createServer(options, (request, response) => {
		if (admit(request, response)) bounded(request, response);
	});
	server.headersTimeout = HEADERS_TIMEOUT_MS;
	server.requestTimeout = REQUEST_TIMEOUT_MS;
	server.timeout = STALL_TIMEOUT_MS;
	server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;

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
	say(startLine(config));
};

/** One line for the operator instead of a stack. A system code such as EADDRINUSE is explained. */
const explain = (error: unknown): string => {
	if (!(error instanceof Error)) return String(error);
	if ('code' in error && error.code === 'EADDRINUSE') {
		return `PORT: ${error.message}. Stop the other server or set PORT to another number`;
	}
	return error.message;
};

/**
 * Sets the content type of plain text that the framework sends without one, before any hook runs.
 */
class TypedResponse extends ServerResponse {
	override writeHead(status: number, ...rest: readonly unknown[]): this {
		if (Number(this.getHeader('content-length') ?? 0) > 0 && !this.hasHeader('content-type')) {
			this.setHeader('content-type', 'text/plain; charset=utf-8');
		}
		return super.writeHead(status, ...(rest as []));
	}
}
