import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../support/files/scratch-copy.ts';

interface Ports {
	readonly listen: number;
	readonly postern: number;
	readonly application: number;
}

export interface RunningProxy {
	stop(): Promise<void>;
}

const example = (file: string): string =>
	readFileSync(join(projectRoot, 'examples/behind-a-proxy', file), 'utf8');

const withPorts = (text: string, { postern, application }: Ports): string =>
	text.replaceAll('127.0.0.1:3000', `127.0.0.1:${postern}`).replaceAll(':8080', `:${application}`);

const run = async (
	command: string,
	{ listen }: Ports,
	config: (folder: string) => string,
	args: (folder: string) => readonly string[]
): Promise<RunningProxy> => {
	const folder = mkdtempSync(join(tmpdir(), 'postern-proxy-'));
	writeFileSync(join(folder, 'config'), config(folder));
	const child: ChildProcess = spawn(command, args(folder), {
		env: { PATH: process.env['PATH'], HOME: folder },
		stdio: ['ignore', 'ignore', 'pipe']
	});
	let output = '';
	child.stderr?.setEncoding('utf8').on('data', (text: string) => (output += text));
	const listens = (): Promise<boolean> =>
		new Promise((resolve) => {
			const socket = connect(listen, '127.0.0.1', () => resolve(true));
			socket.on('error', () => resolve(false)).on('connect', () => socket.destroy());
		});
	while (!(await listens())) {
		if (child.exitCode !== null) throw new Error(`${command} did not start: ${output}`);
	}
	return {
		stop: async () => {
			const exited = once(child, 'exit');
			child.kill('SIGTERM');
			await exited;
			rmSync(folder, { recursive: true });
		}
	};
};

const isInstalled = (command: string, flag: string): boolean =>
	spawnSync(command, [flag], { stdio: 'ignore' }).status === 0;

export const nginx = {
	name: 'nginx',
	isInstalled: isInstalled('nginx', '-v'),
	/** Starts it with the configuration of the example, between these ports. */
	start: (ports: Ports): Promise<RunningProxy> =>
		run(
			'nginx',
			ports,
			(folder) => `
				${process.getuid?.() === 0 ? 'user root;' : ''}
				pid ${folder}/pid;
				events {}
				http {
					access_log off;
					${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((one) => `${one}_temp_path ${folder}/${one};`).join(' ')}
					${withPorts(example('nginx.conf'), ports)
						.replace('listen 443 ssl', `listen 127.0.0.1:${ports.listen}`)
						.replace(/ssl_certificate.*/g, '')}
				}`,
			(folder) => ['-p', folder, '-c', join(folder, 'config'), '-e', 'stderr', '-g', 'daemon off;']
		)
};

export const caddy = {
	name: 'Caddy',
	isInstalled: isInstalled('caddy', 'version'),
	start: (ports: Ports): Promise<RunningProxy> =>
		run(
			'caddy',
			ports,
			() => `
				{
					admin off
					auto_https off
				}
				${withPorts(example('Caddyfile'), ports).replace('\nexample.org {', `\nhttp://localhost:${ports.listen} {`)}`,
			(folder) => ['run', '--config', join(folder, 'config'), '--adapter', 'caddyfile']
		)
};

/** What the application received. */
interface Received {
	readonly method: string;
	readonly url: string;
	readonly rawHeaders: readonly string[];
	readonly bytes: number;
}

/** An application that answers with what it received, and accepts every WebSocket. */
export const startApplication = async () => {
	const seen: Received[] = [];
	const note = (sent: IncomingMessage, bytes: number): string => {
		const { method = '', url = '', rawHeaders } = sent;
		seen.push({ method, url, rawHeaders, bytes });
		return JSON.stringify(seen.at(-1));
	};
	const server = createServer((sent, response) => {
		let bytes = 0;
		sent.on('data', (piece: Buffer) => (bytes += piece.length));
		sent.on('end', () =>
			response.setHeader('content-type', 'application/json').end(note(sent, bytes))
		);
	});
	server.on('upgrade', (sent: IncomingMessage, socket) => {
		note(sent, 0);
		socket.end(
			'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'
		);
	});
	await once(server.listen(0, '127.0.0.1'), 'listening');
	return {
		seen,
		port: (server.address() as AddressInfo).port,
		stop: () => server.close().closeAllConnections()
	};
};

interface Asked {
	readonly method?: string;
	readonly headers?: OutgoingHttpHeaders;
	readonly body?: Buffer;
}

/** Sends a request to the proxy, with headers exactly as they are given. */
export const ask = async (port: number, path: string, { headers, body, ...rest }: Asked = {}) => {
	const own = { host: `localhost:${port}`, ...headers };
	const sent = request({ host: '127.0.0.1', port, path, headers: own, agent: false, ...rest });
	const answered = Promise.race([once(sent, 'response'), once(sent, 'upgrade')]);
	sent.end(body);
	const [response] = (await answered) as [IncomingMessage];
	const { statusCode: status = 0, headers: got } = response;
	if (status === 101) response.destroy();
	const text = status === 101 ? '' : await readText(response);
	/** What the application received. Throws if something else answered. */
	const received = (): Received => JSON.parse(text) as Received;
	return {
		status,
		headers: got,
		text,
		received,
		/** The values of a header that the application received. */
		sent: (name: string): readonly string[] =>
			received().rawHeaders.filter(
				(_, at, all) => at % 2 === 1 && all[at - 1]?.toLowerCase() === name
			)
	};
};
