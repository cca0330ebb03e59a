// One instance of several on one database, as a process of its own. It opens the database (which
// migrates it) and says so. From then on it makes the moves it is told, all of them at once and not
// before the instant that all racers were given, until whoever started it is gone.
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
	/** The ports to take the naive twin of. */
	readonly naive: readonly Twin[];
	/** When to go, in milliseconds since 1970, with fractions. */
	readonly at: number;
}

/** What came of a move; `fault` is null unless it threw. */
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
	// Awake on the spot, which no timer is.
	while (performance.timeOrigin + performance.now() < at);
	process.send?.(await Promise.all(moves.map((move) => make(contest, move))));
};

process.on('message', (turn: Turn) => void take(turn));
process.once('disconnect', () => void sql.close());
process.send?.('ready');
