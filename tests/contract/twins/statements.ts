import { RollBack, type Sql, type Transaction } from '#lib/adapters/sql/sql.ts';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * SQLite answers a twin’s statement immediately, while a transaction of the real store waits for
 * the next turn of the event loop. Without a pause, nothing would run between the twin’s
 * statements.
 */
export const paced = (sql: Sql): Sql => ({
	...sql,
	run: async (statement) => {
		const answer = await sql.run(statement);
		// Two turns, because operations in one turn run in the order in which they began.
		for (let turns = 0; turns < 2; turns += 1) await nextTurn();
		return answer;
	}
});

/** Runs the statements of a transaction one by one. So a lock lasts as long as its statement. */
export const unlocked = (sql: Sql): Sql => {
	const { tables, skipLocked, ...slow } = paced(sql);
	const tx: Transaction = Object.assign(Object.create(sql.db) as Sql['db'], {
		tables,
		skipLocked,
		lockValue: function* () {}
	});
	return {
		...slow,
		tables,
		skipLocked,
		transaction: async (work) => {
			const statements = work(tx);
			let step = statements.next([]);
			while (step.done !== true) {
				const { value } = step;
				step = statements.next(await slow.run(() => value.prepare('').execute()));
			}
			return step.value instanceof RollBack ? step.value.value : step.value;
		}
	};
};
