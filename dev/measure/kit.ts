import { spreadOf } from '../../bench/statistics.ts';
import { startPostgres, type PostgresServer } from '../../tests/support/postgres/cluster.ts';
import { startBuiltServer, type BuiltServer } from '../../tests/support/process/built-server.ts';

export interface Result {
	readonly what: string;
	readonly measured: string;
	readonly bound: string;
	readonly isMet: boolean;
}

type Report = (result: Result) => void;
/** Measures one case, and reports each result as soon as it has it. */
export type Measure = (report: Report) => Promise<void>;

export const ENGINES = ['SQLite', 'PostgreSQL'] as const;
export type Engine = (typeof ENGINES)[number];

let cluster: Promise<PostgresServer> | undefined;
export const stopPostgres = async (): Promise<void> => (await cluster)?.stop();

/** The URL of an empty database. */
export const newPostgresDatabase = async (): Promise<string> =>
	(await (cluster ??= startPostgres())).createDatabase();

/** Runs `work` with a server on a database of its own. */
export const withServer = async (
	engine: Engine,
	env: Readonly<Record<string, string>>,
	work: (server: BuiltServer) => Promise<void>
): Promise<void> => {
	const databaseUrl = engine === 'SQLite' ? {} : { databaseUrl: await newPostgresDatabase() };
	const server = await startBuiltServer({ ...databaseUrl, env });
	try {
		await work(server);
	} finally {
		await server.stop();
	}
};

/** Measures the same with a server on each database. */
export const onEachEngine =
	(work: (engine: Engine, server: BuiltServer, report: Report) => Promise<void>): Measure =>
	async (report) => {
		for (const engine of ENGINES) {
			await withServer(engine, {}, (server) => work(engine, server, report));
		}
	};

/** How long work takes, in milliseconds. */
export const timeOf = async (work: () => Promise<unknown>): Promise<number> => {
	const began = performance.now();
	await work();
	return performance.now() - began;
};

/** Answer times in milliseconds for email addresses with an account and without one. */
export interface Sample {
	readonly known: number[];
	readonly unknown: number[];
}

/**
 * The probability that of one time of each kind the longer one belongs to the known address, ties
 * split: 0.5 when the times reveal nothing, 1 when they reveal everything. Either kind may be the
 * slower one, so the result is never below 0.5.
 */
const auc = (known: readonly number[], unknown: readonly number[]): number => {
	let wins = 0;
	for (const one of known) {
		for (const other of unknown) wins += one > other ? 1 : one === other ? 0.5 : 0;
	}
	const area = wins / (known.length * unknown.length);
	return Math.max(area, 1 - area);
};

/** Whether an attacker who makes enough requests can tell the two groups apart. `most` is in ms. */
export const difference = (what: string, { known, unknown }: Sample, most: number): Result => {
	const area = auc(known, unknown);
	const [ofKnown, ofUnknown] = [spreadOf(known).median, spreadOf(unknown).median];
	return {
		what: `${what}: ${known.length} + ${unknown.length} answers`,
		measured: `AUC ${area.toFixed(3)}, medians ${ofKnown.toFixed(2)} and ${ofUnknown.toFixed(2)} ms`,
		bound: most === Infinity ? 'AUC 0.55' : `AUC 0.55, ${most} ms apart`,
		isMet: area <= 0.55 && Math.abs(ofKnown - ofUnknown) < most
	};
};

export const atMost = (what: string, milliseconds: number, bound: number): Result => ({
	what,
	measured: `${milliseconds.toFixed(1)} ms`,
	bound: `${bound} ms`,
	isMet: milliseconds <= bound
});
