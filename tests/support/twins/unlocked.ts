import { RollBack, type Sql, type Transaction } from '#lib/adapters/sql/sql.ts';
import { unhurried } from './unhurried.ts';

/** Runs the statements of a transaction one by one. So a lock lasts as long as its statement. */
export const unlocked = (sql: Sql): Sql => {
	const { tables, skipLocked, ...slow } = unhurried(sql);
	const tx: Transaction = Object.assign(Object.create(sql.db) as Sql['db'], {
		tables,
		skipLocked,
		lockValue: function* () {}
	});
	return {
		...{ ...slow, tables, skipLocked },
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
