import { execFile, spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { programFile } from '../../../bin/lib/ensure-build.ts';
import { settingsOf } from '../../support/process/built-server.ts';
import { freePort } from '../../support/process/free-port.ts';
import { newAddress, nextClient, SEND, tally, times } from '../../support/http/client.ts';

const folders: string[] = [];
afterAll(() => {
	for (const folder of folders) rmSync(folder, { recursive: true });
});

interface Server {
	readonly address: string;
	readonly child: ChildProcess;
}

/** A stopping server waits a moment for requests on idle connections. */
const LAST = { connection: 'close' };

/** Starts the build with this as its output; resolves when the server answers. */
const start = async (stdio: StdioOptions): Promise<Server> => {
	const port = await freePort();
	const address = `http://localhost:${port}`;
	const folder = mkdtempSync(join(tmpdir(), 'postern-log-'));
	folders.push(folder);
	const child = spawn(process.execPath, [programFile('start')], {
		env: {
			...settingsOf({ address, databaseUrl: `file:${join(folder, 'postern.db')}` }),
			HOST: '127.0.0.1',
			PORT: String(port)
		},
		stdio
	});
	const answers = () =>
		fetch(`${address}/readyz`, { headers: LAST }).then(
			({ status }) => status,
			() => 0
		);
	await expect.poll(answers, { interval: 50 }).toBe(200);
	return { address, child };
};

/** Requests codes, which are printed, and protected pages; each makes a line in the log. */
const statuses = async ({ address }: Server): Promise<Record<string, number>> => {
	const requests = times(20, () => [
		fetch(`${address}${SEND}`, {
			method: 'POST',
			headers: { ...LAST, 'content-type': 'application/json', 'x-forwarded-for': nextClient() },
			body: JSON.stringify({ email: newAddress(), type: 'sign-in' }),
			signal: AbortSignal.timeout(20_000)
		}),
		fetch(`${address}/api/no-such`, { headers: LAST, signal: AbortSignal.timeout(20_000) })
	]);
	return tally((await Promise.all(requests.flat())).map(({ status }) => status));
};

/** Ends it as an operator does; resolves with its exit code, or with the signal it took. */
const stop = async ({ child }: Server): Promise<unknown> => {
	const ended = once(child, 'exit');
	child.kill('SIGTERM');
	const late = setTimeout(() => child.kill('SIGKILL'), 20_000);
	const [code, signal] = (await ended) as [number | null, string | null];
	clearTimeout(late);
	return code ?? signal;
};

const SERVED = { 200: 20, 401: 20 };

describe('a log that cannot be written', () => {
	test('M10 the reader of the output ends: requests are served, and SIGTERM ends the server with 0', async () => {
		const server = await start(['ignore', 'pipe', 'pipe']);
		server.child.stdout?.destroy();
		server.child.stderr?.destroy();
		expect(await statuses(server)).toEqual(SERVED);
		expect(await statuses(server)).toEqual(SERVED);
		expect(await stop(server)).toBe(0);
	});

	test.skipIf(process.platform !== 'linux')(
		'M10 the disk of the log is full: requests are served, and SIGTERM ends the server with 0',
		async () => {
			const full = openSync('/dev/full', 'w');
			const server = await start(['ignore', full, full]);
			expect(await statuses(server)).toEqual(SERVED);
			expect(await statuses(server)).toEqual(SERVED);
			expect(await stop(server)).toBe(0);
		}
	);

	test.skipIf(process.platform === 'win32')(
		'M10 the reader is slow: no line of another writer is within a line of the log',
		async () => {
			const program = `
				import { processLog } from '#lib/adapters/system/process-log.ts';
				const log = processLog(process.stdout);
				for (let line = 0; line < 2000; line += 1) log.event('request', { route: '/api/hello' });
				setTimeout(() => console.log('[postern] said'), 50);
				setTimeout(() => log.event('request', { route: '/api/hello' }), 100);`;
			const { stdout } = await promisify(execFile)('sh', [
				'-c',
				'"$0" -e "$1" | (sleep 0.5; cat)',
				process.execPath,
				program
			]);
			const lines = stdout.trim().split('\n');
			expect(lines).toContain('[postern] said');
			for (const line of lines.filter((each) => each !== '[postern] said')) {
				expect(JSON.parse(line)).toMatchObject({ event: 'request' });
			}
		}
	);
});
