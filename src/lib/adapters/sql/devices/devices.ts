import { eq, lte, sql } from 'drizzle-orm';
import type { Devices } from '#lib/domain/devices/ports.ts';
import { atMost } from '../rows.ts';
import type { Sql } from '../sql.ts';

export const sqlDevices = ({ db, tables, run, skipLocked }: Sql): Devices => {
	const { device: t, user } = tables;

	// A subselect for each row and not a join: a planner could begin a join with the account, and the
	// time of the lookup would then depend on whether there is one.
	const emailOf = db.select({ email: user.email }).from(user).where(eq(user.id, t.userId));
	const knownAccount = db
		.select({ userId: t.userId, email: sql`(${emailOf.getSQL()})`.mapWith(user.email) })
		.from(t)
		.where(eq(t.keyHash, sql.placeholder('keyHash')))
		.prepare('device_known_account');

	return {
		knownAccount: async (keyHash, email) => {
			const rows = await run(() => knownAccount.execute({ keyHash }));
			return rows.find((row) => row.email === email)?.userId ?? null;
		},

		prune: async (usedBefore, limit) => {
			const expired = lte(t.usedAt, usedBefore);
			const removed = await run(() =>
				db
					.delete(t)
					.where(atMost(limit, t.id, expired, skipLocked, [t.usedAt]))
					.returning({ id: t.id })
			);
			return removed.length;
		}
	};
};
