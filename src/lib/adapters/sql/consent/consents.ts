import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Consents } from '#lib/domain/consent/consents.ts';
import { bound, excluded } from '../rows.ts';
import type { Sql } from '../sql.ts';

export const sqlConsents = ({ db, tables, run }: Sql): Consents => {
	const { user, userData: t } = tables;

	// The writing statement checks the account, so that no consent is stored for a deleted one.
	const activeUser = db
		.select({
			userId: user.id,
			marketingOptIn: sql`true`.as('marketing_opt_in'),
			marketingOptInAt: bound('now', t.marketingOptInAt).as('marketing_opt_in_at'),
			isTrialEligible: sql`true`.as('is_trial_eligible')
		})
		.from(user)
		.where(and(eq(user.id, sql.placeholder('userId')), isNull(user.deletedAt)));
	const first = sql`case when ${t.marketingOptIn} then ${t.marketingOptInAt} end`;
	const grantMarketing = db
		.insert(t)
		.select(activeUser)
		.onConflictDoUpdate({
			target: t.userId,
			set: {
				marketingOptIn: true,
				marketingOptInAt: sql`coalesce(${first}, ${excluded(t.marketingOptInAt)})`
			}
		})
		.returning({ userId: t.userId })
		.prepare('consent_grant_marketing');

	return {
		grantMarketing: async (userId, now) => {
			const granted = await run(() => grantMarketing.execute({ userId, now }));
			return granted.length === 1;
		}
	};
};
