import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import autocannon from 'autocannon';
import { startPostgres } from '../../tests/support/postgres/cluster.ts';
import { JSON_BODY, SEND } from '../accounts.ts';
import { nextClient } from '../scale/drive.ts';
import { startPostern, type ServerProcess } from '../server-process.ts';
import { startMailProcess } from '../soak/mail-process.ts';
import { percentile, spreadOf } from '../statistics.ts';

/** Connections to each of the two servers. */
const CONNECTIONS = 8;
const SECONDS = 4;
const ROUNDS = 5;
/** A client may send so many emails a minute, and a network as many as four clients. */
const OF_CLIENT = 20;
const CLIENTS = 4;
/** Requests of a burst to each server. One network gets no more in a minute. */
const BURST = OF_CLIENT * CLIENTS;

const VARIANTS = {
	off: { limit: 'off', burst: null },
	'5000000': { limit: '5000000', burst: null },
	'5000000, and a burst from many networks each second': { limit: '5000000', burst: 'many' },
	'5000000, and a burst from one network each second': { limit: '5000000', burst: 'one' }
} as const;

type Variant = (typeof VARIANTS)[keyof typeof VARIANTS];

interface Measured {
	/** Of the requests outside the bursts. */
	readonly perSecond: number;
	readonly p99: number;
	/** In milliseconds, until the last answer of each burst. */
	readonly bursts: readonly number[];
	/** Answers 503, because too many emails waited for the mail server. */
	readonly refused: number;
}

const body = (): string =>
	JSON.stringify({ email: `${randomUUID()}@example.com`, type: 'sign-in' });

let refused = 0;

let networks = 0;
/** The first three parts of the addresses of a network from which nothing else comes. */
const nextNetwork = (): string => {
	networks += 1;
	return `172.16.${networks}`;
};

/** Sends codes for some seconds, as fast as the server answers. Returns how long each send took. */
const load = async ({ url, name }: ServerProcess): Promise<readonly number[]> => {
	const times: number[] = [];
	const { errors, non2xx, statusCodeStats } = await autocannon({
		url,
		connections: CONNECTIONS,
		duration: SECONDS,
		sampleInt: 50,
		setupClient: (client) => {
			client.on('response', (status, _bytes, time) => {
				if (status === 200) times.push(time);
			});
		},
		requests: [
			{
				method: 'POST',
				path: SEND,
				setupRequest: (request) => ({
					...request,
					headers: { ...JSON_BODY, 'x-forwarded-for': nextClient() },
					body: body()
				})
			}
		]
	});
	const busy = statusCodeStats?.['503']?.count ?? 0;
	if (errors > 0 || non2xx > busy) throw new Error(`${name}: ${JSON.stringify(statusCodeStats)}`);
	refused += busy;
	return times;
};

/** Returns the time until the last answer, in milliseconds. */
const sendBurst = async (
	servers: readonly ServerProcess[],
	from: 'one' | 'many'
): Promise<number> => {
	const began = performance.now();
	const one = nextNetwork();
	await Promise.all(
		servers.flatMap(({ url, name }) =>
			Array.from({ length: BURST }, async (_, number) => {
				const client = from === 'many' ? nextClient() : `${one}.${1 + (number % CLIENTS)}`;
				const headers = { ...JSON_BODY, 'x-forwarded-for': client };
				const answer = await fetch(url + SEND, { method: 'POST', headers, body: body() });
				await answer.text();
				if (answer.status === 503) refused += 1;
				else if (answer.status !== 200) throw new Error(`${name}: ${answer.status} in a burst`);
			})
		)
	);
	return performance.now() - began;
};

const measure = async (
	servers: readonly ServerProcess[],
	{ burst }: Variant
): Promise<Measured> => {
	refused = 0;
	const loads = servers.map(load);
	const bursts: number[] = [];
	if (burst !== null) {
		// The first and the last second are without a burst, so that each falls into the load.
		for (let second = 1; second < SECONDS; second += 1) {
			const [took] = await Promise.all([sendBurst(servers, burst), pause(1000)]);
			bursts.push(took);
		}
	}
	const times = (await Promise.all(loads)).flat();
	return { perSecond: times.length / SECONDS, p99: percentile(times, 0.99), bursts, refused };
};

/** Whole sends of two built servers on one PostgreSQL, until the mail server has the email. */
export const measureServers = async (): Promise<void> => {
	const database = await startPostgres({ fsync: true });
	const mail = await startMailProcess();
	const started: ServerProcess[] = [];
	const start = async (limit: string): Promise<readonly ServerProcess[]> => {
		const databaseUrl = await database.createDatabase();
		const env = { EMAIL_BUDGET: limit };
		const servers: ServerProcess[] = [];
		for (let count = 0; count < 2; count += 1) {
			servers.push(await startPostern({ databaseUrl, smtpPort: mail.port, env }));
		}
		started.push(...servers);
		return servers;
	};
	try {
		const pairs = { off: await start('off'), '5000000': await start('5000000') };
		const results = new Map<Variant, Measured[]>();
		// The first round warms up.
		for (let round = 0; round <= ROUNDS; round += 1) {
			for (const variant of Object.values(VARIANTS)) {
				const measured = await measure(pairs[variant.limit], variant);
				if (round > 0) results.set(variant, [...(results.get(variant) ?? []), measured]);
			}
		}
		print(results);
	} finally {
		await Promise.all(started.map((server) => server.stop()));
		mail.stop();
		await database.stop();
	}
};

const print = (results: ReadonlyMap<Variant, readonly Measured[]>): void => {
	console.log('| `EMAIL_BUDGET` | Sends/s | p99, ms | A burst, ms | Refused with 503 |');
	console.log('| --- | --- | --- | --- | --- |');
	for (const [name, variant] of Object.entries(VARIANTS)) {
		const rounds = results.get(variant) ?? [];
		const bursts = rounds.flatMap((round) => round.bursts);
		const cells = [
			name,
			range(rounds.map(({ perSecond }) => perSecond)),
			range(rounds.map(({ p99 }) => p99)),
			bursts.length === 0 ? '' : range(bursts),
			rounds.reduce((sum, round) => sum + round.refused, 0)
		];
		console.log(`| ${cells.join(' | ')} |`);
	}
};

const range = (numbers: readonly number[]): string => {
	const { median, min, max } = spreadOf(numbers);
	return `${median.toFixed(0)} (${min.toFixed(0)}–${max.toFixed(0)})`;
};
