import { and, eq, isNull } from 'drizzle-orm';
import { sqlConsents } from '#lib/adapters/sql/consent/consents.ts';
import type { Sql } from '#lib/adapters/sql/sql.ts';
import type { ConsentChange, Consents } from '#lib/domain/consent/ports.ts';

/** Reads the account and its data, then writes the data and the record. */
export const naiveConsents = (sql: Sql): Consents => {
	const { db, tables, run } = sql;
	const { user, userData, consentRecord } = tables;
	const isGiven = async ({ userId }: ConsentChange): Promise<boolean> => {
		const [data] = await run(() => db.select().from(userData).where(eq(userData.userId, userId)));
		return data?.marketingOptIn === true;
	};
	const record = ({ occasion, ...change }: ConsentChange, action: 'granted' | 'withdrawn') =>
		run(() =>
			db
				.insert(consentRecord)
				.values({ ...change, action, purpose: 'marketing', source: occasion.source })
				.returning()
		);
	return {
		...sqlConsents(sql),

		grantMarketing: async (change) => {
			const isActive = and(eq(user.id, change.userId), isNull(user.deletedAt));
			const [account] = await run(() => db.select().from(user).where(isActive));
			if (account === undefined) return { kind: 'no_account' };
			if (await isGiven(change)) return { kind: 'unchanged' };
			const agreed = { marketingOptIn: true, marketingOptInAt: change.at };
			await run(() =>
				db
					.insert(userData)
					.values({ userId: change.userId, ...agreed })
					.onConflictDoUpdate({ target: userData.userId, set: agreed })
					.returning()
			);
			await record(change, 'granted');
			return { kind: 'granted' };
		},

		withdrawMarketing: async (change) => {
			if (!(await isGiven(change))) return true;
			await run(() =>
				db
					.update(userData)
					.set({ marketingOptIn: false, marketingOptInAt: null })
					.where(eq(userData.userId, change.userId))
					.returning()
			);
			await record(change, 'withdrawn');
			return true;
		}
	};
};
