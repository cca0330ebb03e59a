import { eq, inArray } from 'drizzle-orm';
import { userColumns } from '#lib/adapters/sql/rows.ts';
import { sqlEmailChanges } from '#lib/adapters/sql/email-change/email-changes.ts';
import type { Sql } from '#lib/adapters/sql/sql.ts';
import type { EmailChanges } from '#lib/domain/email-change/ports.ts';

/** Checks whether an address is free, then takes it. */
export const naiveEmailChanges = (sql: Sql): EmailChanges => {
	const { db, tables, run } = sql;
	const { verification: t, user: users, session: sessions } = tables;
	return {
		...sqlEmailChanges(sql),
		complete: async ({ challengeId, userId, to, keep }, now) => {
			const open = await run(() =>
				db.select({ id: sessions.id }).from(sessions).where(eq(sessions.userId, userId))
			);
			const [challenge] = await run(() => db.select().from(t).where(eq(t.id, challengeId)));
			if (challenge === undefined) return null;
			const [taken] = await run(() => db.select().from(users).where(eq(users.email, to)));
			if (taken !== undefined && taken.id !== userId) return 'email_taken';
			const [user] = await run(() =>
				db
					.update(users)
					.set({ email: to, updatedAt: now })
					.where(eq(users.id, userId))
					.returning(userColumns(tables))
			);
			await run(() => db.delete(t).where(eq(t.id, challengeId)).returning());
			const ended = open.filter(({ id }) => id !== keep).map(({ id }) => id);
			await run(() =>
				db
					.delete(sessions)
					.where(inArray(sessions.id, [...ended]))
					.returning()
			);
			return user === undefined ? null : { user, ended };
		}
	};
};
