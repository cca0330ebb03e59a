import { and, eq, inArray, isNull, lte } from 'drizzle-orm';
import { sqlAccounts } from '#lib/adapters/sql/account/accounts.ts';
import { sqlEmailChanges } from '#lib/adapters/sql/email-change/email-changes.ts';
import { sqlOperators } from '#lib/adapters/sql/operators.ts';
import { sqlPurchases } from '#lib/adapters/sql/purchases/purchases.ts';
import { userColumns } from '#lib/adapters/sql/rows.ts';
import type { Sql } from '#lib/adapters/sql/sql.ts';
import type { Accounts } from '#lib/domain/account/ports.ts';
import type { EmailChanges } from '#lib/domain/email-change/ports.ts';
import type { Operators } from '#lib/domain/operators/ports.ts';
import type { Purchases } from '#lib/domain/purchases/ports.ts';
import type { TaskRuns } from '#lib/domain/tasks/ports.ts';

/** Reads first and then writes, as separate statements, assuming that nothing changed. */
export const naiveAccounts = (sql: Sql): Accounts => {
	const { db, tables, run } = sql;
	const { user, session, verification, event } = tables;
	return {
		...sqlAccounts(sql),

		consumeChallenge: async (challengeId) => {
			const isChallenge = eq(verification.id, challengeId);
			const [found] = await run(() => db.select().from(verification).where(isChallenge));
			if (found === undefined) return null;
			await run(() => db.delete(verification).where(isChallenge));
			const [account] = await run(() =>
				db.select(userColumns(tables)).from(user).where(eq(user.email, found.email))
			);
			return account ?? null;
		},

		delete: async (id, now) => {
			const [living] = await run(() =>
				db
					.select()
					.from(user)
					.where(and(eq(user.id, id), isNull(user.deletedAt)))
			);
			if (living === undefined) return null;
			const ended = await run(() => db.delete(session).where(eq(session.userId, id)).returning());
			await run(() => db.update(user).set({ deletedAt: now }).where(eq(user.id, id)));
			return ended.map(({ id }) => id);
		},

		purge: async (deletedBefore, limit) => {
			const dead = await run(() =>
				db.select({ id: user.id }).from(user).where(lte(user.deletedAt, deletedBefore)).limit(limit)
			);
			const ids = dead.map((one) => one.id);
			await run(() => db.delete(event).where(inArray(event.userId, ids)));
			await run(() => db.delete(user).where(inArray(user.id, ids)));
			return dead.map(({ id }) => id);
		}
	};
};

/** Looks at the address of an account, then gives it the role. */
export const naiveOperators = (sql: Sql): Operators => {
	const { db, tables, run } = sql;
	const { user } = tables;
	return {
		...sqlOperators(sql),

		act: async ({ userId, email }) => {
			const isChallenge = eq(user.id, userId);
			const [found] = await run(() =>
				db.select({ email: user.email }).from(user).where(isChallenge)
			);
			if (found?.email !== email) return 'gone';
			await run(() => db.update(user).set({ role: 'operator' }).where(isChallenge));
			return [];
		}
	};
};

/** Reads the account, then stores the purchase; reads its owner, then claims it. */
export const naivePurchases = (sql: Sql): Purchases => {
	const { db, tables, run } = sql;
	const { user, purchase: t } = tables;
	return {
		...sqlPurchases(sql),

		record: async (purchase) => {
			const [owner] = await run(() =>
				db
					.select({ id: user.id })
					.from(user)
					.where(and(eq(user.email, purchase.email), isNull(user.deletedAt)))
			);
			await run(() =>
				db
					.insert(t)
					.values({ ...purchase, userId: owner?.id ?? null })
					.onConflictDoNothing()
			);
		},

		claim: async (reference, { id, email }) => {
			const isChallenge = eq(t.reference, reference);
			const [row] = await run(() => db.select().from(t).where(isChallenge));
			if (row === undefined || row.email !== email) return false;
			if (row.userId !== null) return row.userId === id;
			await run(() => db.update(t).set({ userId: id }).where(isChallenge));
			return true;
		}
	};
};

/**
 * Stores the purchase and then links it, in one transaction, but does not wait for an account that
 * is being created: neither transaction sees the uncommitted rows of the other.
 */
export const unheldPurchases = (sql: Sql): Purchases => {
	const { user, purchase: t } = sql.tables;
	return {
		...sqlPurchases(sql),
		record: (purchase) =>
			sql.transaction(function* (tx) {
				yield tx.insert(t).values(purchase).onConflictDoNothing();
				const owner = tx
					.select({ id: user.id })
					.from(user)
					.where(and(eq(user.email, purchase.email), isNull(user.deletedAt)));
				const found = (yield owner) as { id: typeof user.$inferSelect.id }[];
				yield tx
					.update(t)
					.set({ userId: found[0]?.id ?? null })
					.where(eq(t.id, purchase.id));
			})
	};
};

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
			await run(() => db.delete(t).where(eq(t.id, challengeId)));
			const ended = open.filter(({ id }) => id !== keep).map(({ id }) => id);
			await run(() => db.delete(sessions).where(inArray(sessions.id, [...ended])));
			return user === undefined ? null : { user, ended };
		}
	};
};

/** Reads whether the day was claimed, then claims it. */
export const naiveTaskRuns = ({ db, tables, run }: Sql): TaskRuns => {
	const t = tables.taskRun;
	return {
		claim: async (task, day) => {
			const claimed = await run(() =>
				db
					.select()
					.from(t)
					.where(and(eq(t.task, task), eq(t.day, day)))
			);
			if (claimed.length > 0) return false;
			await run(() => db.insert(t).values({ task, day }).onConflictDoNothing());
			return true;
		}
	};
};
