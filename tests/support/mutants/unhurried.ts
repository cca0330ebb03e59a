import type { Sql } from '#lib/adapters/sql/sql.ts';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * SQLite answers a statement of a twin at once, while a transaction of the real store waits for the
 * next turn of the event loop, so that nothing would ever come between the twin's own.
 */
export const unhurried = (sql: Sql): Sql => ({
	...sql,
	run: async (statement) => {
		const answer = await sql.run(statement);
		// Two, as what both do in one turn is done in the order in which they began.
		for (let turns = 0; turns < 2; turns += 1) await nextTurn();
		return answer;
	}
});
