import { and, eq } from 'drizzle-orm';
import type { Sql } from '#lib/adapters/sql/sql.ts';
import type { Challenge, Challenges } from '#lib/domain/sign-in/ports.ts';

/**
 * Removes the code to compare it and puts it back after a wrong guess. No code works twice, but
 * for a moment there is none, and the restored one may be superseded.
 */
export const consumeAndRecreate =
	({ db, tables, run }: Sql, challenges: Challenges, comparing: () => Promise<void>) =>
	async (_instance: unknown, of: Challenge, right: boolean): Promise<boolean> => {
		const t = tables.verification;
		const [taken] = await run(() =>
			db
				.delete(t)
				.where(and(eq(t.email, of.email), eq(t.boundTo, of.boundTo ?? '')))
				.returning()
		);
		if (taken === undefined) return false;
		await comparing();
		if (right && taken.id === of.id) return true;
		const boundTo = taken.boundTo || null;
		const again = { ...taken, boundTo, requestedBy: null, attempts: taken.attempts + 1 };
		await challenges.issue(again, taken.createdAt);
		return false;
	};
