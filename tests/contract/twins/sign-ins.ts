import { and, eq } from 'drizzle-orm';
import { sessionColumns, userColumns } from '#lib/adapters/sql/rows.ts';
import { sqlSessions } from '#lib/adapters/sql/sessions/sessions.ts';
import { sqlChallenges } from '#lib/adapters/sql/sign-in/challenges.ts';
import { sqlSignIns } from '#lib/adapters/sql/sign-in/sign-ins.ts';
import type { Sql } from '#lib/adapters/sql/sql.ts';
import type { NewAccount } from '#lib/domain/account/ports.ts';
import type { Sessions } from '#lib/domain/sessions/ports.ts';
import type { Challenge, Challenges, SignIns } from '#lib/domain/sign-in/ports.ts';
import type { User } from '#lib/domain/user.ts';

/**
 * Reads whether the code exists, then uses it; reads whether the account exists, then creates one.
 */
export const naiveSignIns = ({ db, tables, run }: Sql): SignIns => {
	const { verification, user: users, userData, session: sessions } = tables;

	const accountOf = async (account: NewAccount): Promise<{ user: User; created: boolean }> => {
		const { user } = account;
		const [existing] = await run(() =>
			db.select(userColumns(tables)).from(users).where(eq(users.email, user.email))
		);
		if (existing !== undefined) return { user: existing, created: false };
		await run(() => db.insert(users).values(user));
		await run(() => db.insert(userData).values(account.userData));
		return { user, created: true };
	};

	return {
		redeem: async ({ challengeId, account, session }) => {
			if (account === null) return null;
			const [challenge] = await run(() =>
				db.select().from(verification).where(eq(verification.id, challengeId))
			);
			if (challenge === undefined) return null;
			const { user, created } = await accountOf(account);
			const row = { ...session, userId: user.id, updatedAt: session.createdAt };
			const [opened] = await run(() =>
				db.insert(sessions).values(row).returning(sessionColumns(tables))
			);
			await run(() => db.delete(verification).where(eq(verification.id, challengeId)));
			if (opened === undefined) return null;
			const nothing = { ended: [], isReported: false };
			return { kind: 'signed_in', user, session: opened, created, ...nothing };
		}
	};
};

/** Counts by reading, adding in the program, and writing back: the last write wins. */
export const naiveChallenges = (sql: Sql): Challenges => {
	const { db, tables, run } = sql;
	const t = tables.verification;
	return {
		...sqlChallenges(sql),
		countAttempt: async ({ email }, _now, policy) => {
			const [row] = await run(() => db.select().from(t).where(eq(t.email, email)));
			if (row === undefined || row.attemptsUsed > policy.code.attempts) return null;
			const attemptsUsed = row.attemptsUsed + 1;
			await run(() => db.update(t).set({ attemptsUsed }).where(eq(t.id, row.id)));
			return { ...row, boundTo: row.binding || null, attemptsUsed };
		}
	};
};

/**
 * Removes the code to compare it and puts it back after a wrong code. No code works twice, but
 * for a moment there is none, and the restored one may be superseded.
 */
export const consumeAndRecreate =
	({ db, tables, run }: Sql, challenges: Challenges, comparing: () => Promise<void>) =>
	async (_instance: unknown, of: Challenge, right: boolean): Promise<boolean> => {
		const t = tables.verification;
		const [taken] = await run(() =>
			db
				.delete(t)
				.where(and(eq(t.email, of.email), eq(t.binding, of.boundTo ?? '')))
				.returning()
		);
		if (taken === undefined) return false;
		await comparing();
		if (right && taken.id === of.id) return true;
		const boundTo = taken.binding || null;
		const again = { ...taken, boundTo, requestedBy: null, attemptsUsed: taken.attemptsUsed + 1 };
		await challenges.issue(again, taken.createdAt);
		return false;
	};

/** Counts the devices of the account, signs in, and then makes this one known. */
export const naiveDeviceSignIns = (sql: Sql): SignIns => ({
	redeem: async (redemption) => {
		const { db, tables, run } = sql;
		const { device: t, user } = tables;
		const { device, email } = redemption;
		const isOwn = eq(user.id, t.userId);
		const known = await run(() =>
			db.select({ id: t.id }).from(t).innerJoin(user, isOwn).where(eq(user.email, email))
		);
		const redeemed = await sqlSignIns(sql).redeem({ ...redemption, device: null });
		if (redeemed?.kind !== 'signed_in' || device === null) return redeemed;
		if (known.length >= device.limits.perAccount) return redeemed;
		const { id, keyHash, usedAt, userAgent } = device;
		const userId = redeemed.user.id;
		const row = { id, keyHash, userId, userAgent, createdAt: usedAt, usedAt };
		await run(() => db.insert(t).values(row).onConflictDoNothing());
		return redeemed;
	}
});

/** Reads whether the session is due, then refreshes it in any case. */
export const naiveSessions = (sql: Sql): Sessions => {
	const { db, tables, run } = sql;
	const t = tables.session;
	return {
		...sqlSessions(sql),
		refresh: async (id, { now, dueSince, expiresAt }) => {
			const [row] = await run(() => db.select().from(t).where(eq(t.id, id)));
			if (row === undefined || row.updatedAt > dueSince || row.expiresAt <= now) return null;
			const [refreshed] = await run(() =>
				db
					.update(t)
					.set({ updatedAt: now, expiresAt })
					.where(eq(t.id, id))
					.returning(sessionColumns(tables))
			);
			return refreshed ?? null;
		}
	};
};
