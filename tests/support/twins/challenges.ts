import { eq } from 'drizzle-orm';
import type { Sql } from '#lib/adapters/sql/sql.ts';
import { sqlChallenges } from '#lib/adapters/sql/sign-in/challenges.ts';
import type { Challenges } from '#lib/domain/sign-in/ports.ts';

/** Counts by reading, adding in the program, and writing back: the last write wins. */
export const naiveChallenges = (sql: Sql): Challenges => {
	const { db, tables, run } = sql;
	const t = tables.verification;
	return {
		...sqlChallenges(sql),
		countAttempt: async ({ email }, _now, policy) => {
			const [row] = await run(() => db.select().from(t).where(eq(t.email, email)));
			if (row === undefined || row.attempts > policy.code.attempts) return null;
			const attempts = row.attempts + 1;
			await run(() => db.update(t).set({ attempts }).where(eq(t.id, row.id)).returning());
			return { ...row, boundTo: row.boundTo || null, attempts };
		}
	};
};
