import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cookieOf, openAccounts, renewCaches } from '../../bench/accounts.ts';
import { runLoad } from '../../bench/load.ts';
import { getting } from '../../bench/scenarios.ts';
import { spreadOf } from '../../bench/statistics.ts';
import { startPostern } from '../../bench/subjects.ts';
import { inBatches, times } from '../../tests/support/http/client.ts';
import { startSmtpSink } from '../../tests/support/mail/smtp-sink.ts';
import { TEST_SECRET } from '../../tests/support/process/built-server.ts';
import type { Measure } from './kit.ts';

// What a part costs on a request with a session cookie: the rate with it, as a share of the rate without it.

const ROUNDS = 10;
const SECONDS = 2;
const WARM_UP = 1;
const ACCOUNTS = 64;
const BOUND = 0.9;
const HELLO = '/api/hello';

/** A kind of request, to a server with these settings. */
interface Side {
	readonly env: Readonly<Record<string, string>>;
	readonly path: string;
	readonly headers?: object;
}

/** Measures both in turn in each round, so that a slow machine affects both. */
const compare =
	(what: string, ...sides: readonly [Side, Side]): Measure =>
	async (report) => {
		const folder = mkdtempSync(join(tmpdir(), 'postern-measure-'));
		process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
		const sink = await startSmtpSink();
		const open = async ({ env, path, headers }: Side) => {
			const file = `file:${join(folder, `${randomUUID()}.db`)}`;
			const server = await startPostern('sqlite', file, sink, env);
			const origin = server.url.replace('127.0.0.1', 'localhost');
			const emails = times(ACCOUNTS, (number) => `${number}@example.test`);
			const accounts = await openAccounts(server.url, origin, sink, emails);
			await renewCaches(server.url, HELLO, accounts);
			const own = accounts.map((account) => ({ ...headers, cookie: cookieOf(account) }));
			return { server, requests: getting(path, own) };
		};
		const opened = [await open(sides[0]), await open(sides[1])] as const;
		const rates = async (seconds: number) => {
			const measure = (side: (typeof opened)[number]) => runLoad({ ...side, until: { seconds } });
			const [one, other] = [await measure(opened[0]), await measure(opened[1])];
			return [one.requestsPerSecond, other.requestsPerSecond] as const;
		};
		await rates(WARM_UP);
		const rounds = await inBatches(
			times(ROUNDS, () => SECONDS),
			1,
			rates
		);
		const { median, min, max } = spreadOf(rounds.map(([one, other]) => one / other));
		report({
			what,
			measured: `${median.toFixed(2)} (${min.toFixed(2)} to ${max.toFixed(2)})`,
			bound: String(BOUND),
			isMet: median >= BOUND
		});
		for (const { server } of opened) await server.stop();
		await sink.stop();
	};

export const metrics = compare(
	'a guarded request with metrics, as a share of one without',
	{ env: { METRICS_TOKEN: TEST_SECRET }, path: HELLO },
	{ env: {}, path: HELLO }
);

const FORWARD = { FORWARD_ALLOW: '*' };
const FORWARDED = { 'x-forwarded-method': 'GET', 'x-forwarded-uri': '/plants' };

/** Both requests have the headers of a proxy, because reading these alone costs a twentieth. */
export const forward = compare(
	'a check for a proxy, as a share of a guarded request behind it',
	{ env: FORWARD, path: '/api/auth/forward', headers: FORWARDED },
	{ env: FORWARD, path: HELLO, headers: FORWARDED }
);
