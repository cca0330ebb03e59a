import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cookieOf, openAccounts, renewCaches, type Account } from '../../bench/accounts.ts';
import { runLoad, type LoadRequest } from '../../bench/load.ts';
import { getting } from '../../bench/scenarios.ts';
import type { ServerProcess } from '../../bench/start-process.ts';
import { ratiosOf } from '../../bench/statistics.ts';
import { startPostern } from '../../bench/subjects.ts';
import { startSmtpSink } from '../../tests/support/mail/smtp-sink.ts';
import { TEST_SECRET } from '../../tests/support/process/built-server.ts';
import type { Measure, Result } from './kit.ts';

// What a part costs on a request with a session cookie: the rate with it, as a share of the rate without it.

const ROUNDS = 10;
const SECONDS = 2;
const WARM_UP = 1;
const ACCOUNTS = 64;
const BOUND = 0.9;
const HELLO = '/api/hello';

interface Side {
	readonly server: ServerProcess;
	readonly requests: readonly LoadRequest[];
}

/** Measures both in turn in each round, so that a slow machine affects both. */
const compare = async (what: string, one: Side, other: Side): Promise<Result> => {
	const rate = async ({ server, requests }: Side, seconds: number): Promise<number> =>
		(await runLoad({ server, requests, until: { seconds } })).requestsPerSecond;
	for (const side of [one, other]) await rate(side, WARM_UP);
	const [ones, others]: [number[], number[]] = [[], []];
	while (ones.length < ROUNDS) {
		ones.push(await rate(one, SECONDS));
		others.push(await rate(other, SECONDS));
	}
	const { median, min, max } = ratiosOf(ones, others);
	return {
		what,
		measured: `${median.toFixed(2)} (${min.toFixed(2)} to ${max.toFixed(2)})`,
		bound: String(BOUND),
		isMet: median >= BOUND
	};
};

/** Starts servers with these settings, each with a database and accounts of its own. */
const withSides = async (
	settings: readonly Readonly<Record<string, string>>[],
	work: (sideOf: (number: number, path: string, headers?: object) => Promise<Side>) => Promise<void>
): Promise<void> => {
	const folder = mkdtempSync(join(tmpdir(), 'postern-measure-'));
	const sink = await startSmtpSink();
	const opened: { readonly server: ServerProcess; readonly accounts: readonly Account[] }[] = [];
	try {
		for (const [number, env] of settings.entries()) {
			const file = `file:${join(folder, `${number}.db`)}`;
			const server = await startPostern('sqlite', file, sink, env);
			const origin = server.url.replace('127.0.0.1', 'localhost');
			const emails = Array.from({ length: ACCOUNTS }, (_, one) => `${one}@example.test`);
			opened.push({ server, accounts: await openAccounts(server.url, origin, sink, emails) });
		}
		await work(async (number, path, headers = {}) => {
			const side = opened[number];
			if (side === undefined) throw new Error('no such server');
			const { server, accounts } = side;
			await renewCaches(server.url, HELLO, accounts);
			const own = accounts.map((account) => ({ ...headers, cookie: cookieOf(account) }));
			return { server, requests: getting(path, own) };
		});
	} finally {
		await Promise.all(opened.map(({ server }) => server.stop()));
		await sink.stop();
		rmSync(folder, { recursive: true });
	}
};

export const metrics: Measure = (report) =>
	withSides([{ METRICS_TOKEN: TEST_SECRET }, {}], async (sideOf) => {
		const [on, off] = [await sideOf(0, HELLO), await sideOf(1, HELLO)];
		report(await compare('a guarded request with metrics, as a share of one without', on, off));
	});

export const forward: Measure = (report) =>
	withSides([{ FORWARD_ALLOW: '*' }], async (sideOf) => {
		const headers = { 'x-forwarded-method': 'GET', 'x-forwarded-uri': '/plants' };
		const [check, hello] = [await sideOf(0, '/api/auth/forward', headers), await sideOf(0, HELLO)];
		report(await compare('a check for a proxy, as a share of a guarded request', check, hello));
	});
