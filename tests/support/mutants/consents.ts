import { eq } from 'drizzle-orm';
import type { Sql } from '#lib/adapters/sql/sql.ts';
import type { Consents } from '#lib/domain/consent/consents.ts';

/** Reads the data and its time, then the account, then writes. */
export const naiveConsents = ({ db, tables, run }: Sql): Consents => {
	const { user, userData } = tables;
	return {
		grantMarketing: async (userId, now) => {
			const isTheirs = eq(userData.userId, userId);
			const [data] = await run(() => db.select().from(userData).where(isTheirs));
			const [account] = await run(() => db.select().from(user).where(eq(user.id, userId)));
			if (account === undefined || account.deletedAt !== null) return false;
			const agreed = { marketingOptIn: true, marketingOptInAt: now };
			if (data?.marketingOptIn === true) return true;
			await (data === undefined
				? run(() =>
						db
							.insert(userData)
							.values({ userId, ...agreed })
							.onConflictDoUpdate({ target: userData.userId, set: agreed })
							.returning()
					)
				: run(() => db.update(userData).set(agreed).where(isTheirs).returning()));
			return true;
		}
	};
};
