import { eq } from 'drizzle-orm';
import { sessionColumns, userColumns } from '#lib/adapters/sql/rows.ts';
import type { Sql } from '#lib/adapters/sql/sql.ts';
import type { NewAccount } from '#lib/domain/account/ports.ts';
import type { SignIns } from '#lib/domain/sign-in/ports.ts';
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
		await run(() => db.insert(users).values(user).returning());
		await run(() => db.insert(userData).values(account.userData).returning());
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
			await run(() => db.delete(verification).where(eq(verification.id, challengeId)).returning());
			if (opened === undefined) return null;
			const nothing = { ended: [], isReported: false };
			return { kind: 'signed_in', user, session: opened, created, ...nothing };
		}
	};
};
