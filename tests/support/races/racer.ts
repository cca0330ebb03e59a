// One of several instances on one database, as a process of its own. It opens the database (which
// migrates it) and reports that. Then it makes the given moves, all concurrently and not before
// the
// instant given to all racers, until its parent ends.
import { openPostgres } from '#lib/adapters/postgres/open.ts';
import { openSqlite } from '#lib/adapters/sqlite/open.ts';
import { naiveTwins, soundContest, type Contest, type Twin } from './racer-stores.ts';

/** An operation of a port with its arguments, which are plain data. */
export type Move = {
	[P in keyof Contest]: {
		[O in keyof Contest[P]]: Contest[P][O] extends (...args: infer Args) => unknown
			? readonly [port: P, operation: O, ...args: Args]
			: never;
	}[keyof Contest[P]];
}[keyof Contest];

export interface Turn {
	readonly moves: readonly Move[];
	/** The ports that use the naive twin. */
	readonly naive: readonly Twin[];
	/** The start time, in milliseconds since 1970, with fractions. */
	readonly at: number;
}

/** The result of a move; `fault` is null unless it threw. */
export interface Outcome {
	readonly value: unknown;
	readonly fault: string | null;
}

type Operations = Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>;

const [url = ''] = process.argv.slice(2);
const sql = await (url.startsWith('file:') ? openSqlite(url) : openPostgres(url));
const sound = soundContest(sql);
const twins = naiveTwins(sql);

const make = async (contest: Contest, [port, operation, ...args]: Move): Promise<Outcome> => {
	try {
		const { [operation]: run } = contest[port] as unknown as Operations;
		return { value: await run?.(...args), fault: null };
	} catch (error) {
		return { value: null, fault: String(error) };
	}
};

const take = async ({ moves, naive, at }: Turn): Promise<void> => {
	const contest = { ...sound, ...Object.fromEntries(naive.map((port) => [port, twins[port]])) };
	// A busy wait, because no timer is exact enough.
	while (performance.timeOrigin + performance.now() < at);
	process.send?.(await Promise.all(moves.map((move) => make(contest, move))));
};

process.on('message', (turn: Turn) => void take(turn));
process.once('disconnect', () => void sql.close());
process.send?.('ready');
