import { eq } from 'drizzle-orm';
import { sqlOperators } from '#lib/adapters/sql/operators/operators.ts';
import type { Sql } from '#lib/adapters/sql/sql.ts';
import type { Operators } from '#lib/domain/operators/ports.ts';

/** Looks at the address of an account, then gives it the role. */
export const naiveOperators = (sql: Sql): Operators => {
	const { db, tables, run } = sql;
	const { user } = tables;
	return {
		...sqlOperators(sql),

		act: async ({ userId, email }) => {
			const isIt = eq(user.id, userId);
			const [found] = await run(() => db.select({ email: user.email }).from(user).where(isIt));
			if (found?.email !== email) return 'gone';
			await run(() => db.update(user).set({ role: 'operator' }).where(isIt).returning());
			return [];
		}
	};
};
