import { eq } from 'drizzle-orm';
import { sqlOperators } from '#lib/adapters/sql/operators/operators.ts';
import type { Sql } from '#lib/adapters/sql/sql.ts';
import type { Operators } from '#lib/domain/operators/ports.ts';

/** Looks the account up by its address, then gives the role to its id. */
export const naiveOperators = (sql: Sql): Operators => {
	const { db, tables, run } = sql;
	const { user } = tables;
	return {
		...sqlOperators(sql),

		setRole: async (email, role) => {
			const isIt = eq(user.email, email);
			const [found] = await run(() => db.select({ id: user.id }).from(user).where(isIt));
			if (found === undefined) return 'gone';
			await run(() => db.update(user).set({ role }).where(eq(user.id, found.id)).returning());
			return found.id;
		}
	};
};
