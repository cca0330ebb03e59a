import type { Sql } from '#lib/adapters/sql/sql.ts';

/** Half the connections of a pool: enough for every race. */
const AT_ONCE = 5;

/**
 * A database of which not much is asked at once. A statement has about two seconds for its turn and its
 * answer. On a busy machine, the last of many in a race for one row takes longer.
 */
export const inTurn = (sql: Sql): Sql => {
	let free = AT_ONCE;
	const waiting: (() => void)[] = [];
	const whenFree = async <T>(work: () => Promise<T>): Promise<T> => {
		if (free > 0) free -= 1;
		else await new Promise<void>((resolve) => waiting.push(resolve));
		try {
			return await work();
		} finally {
			const next = waiting.shift();
			if (next === undefined) free += 1;
			else next();
		}
	};
	return {
		...sql,
		run: (statement, kind) => whenFree(() => sql.run(statement, kind)),
		transaction: (work) => whenFree(() => sql.transaction(work))
	};
};
