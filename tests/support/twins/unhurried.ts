import type { Sql } from '#lib/adapters/sql/sql.ts';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * SQLite answers a twin’s statement immediately, while a transaction of the real store waits for
 * the next turn of the event loop. Without a pause, nothing would run between the twin’s
 * statements.
 */
export const unhurried = (sql: Sql): Sql => ({
	...sql,
	run: async (statement) => {
		const answer = await sql.run(statement);
		// Two turns, because operations in one turn run in the order in which they began.
		for (let turns = 0; turns < 2; turns += 1) await nextTurn();
		return answer;
	}
});
