import { eq, sql } from 'drizzle-orm';
import type { UnsubscribeLinks } from '#lib/domain/consent/ports.ts';
import { bound } from '../rows.ts';
import type { Sql } from '../sql.ts';

export const sqlUnsubscribeLinks = ({ db, tables, run }: Sql): UnsubscribeLinks => {
	const { user, userData, unsubscribeLink: t } = tables;

	const find = db
		.select({ userId: t.userId, optIn: userData.marketingOptIn })
		.from(t)
		.leftJoin(userData, eq(userData.userId, t.userId))
		.where(eq(t.tokenHash, sql.placeholder('hash')))
		.prepare('unsubscribe_link_find');

	// The writing statement looks the account up, so that a purge cannot come in between.
	const account = db
		.select({
			tokenHash: bound('hash', t.tokenHash).as('token_hash'),
			userId: user.id,
			createdAt: bound('now', t.createdAt).as('created_at')
		})
		.from(user)
		.where(eq(user.id, sql.placeholder('userId')));
	const keep = db
		.insert(t)
		.select(account)
		// Changes nothing. A row that is not changed would not be returned.
		.onConflictDoUpdate({ target: t.tokenHash, set: { createdAt: sql`${t.createdAt}` } })
		.returning({ userId: t.userId })
		.prepare('unsubscribe_link_keep');

	return {
		keep: async (hash, userId, now) => {
			const kept = await run(() => keep.execute({ hash, userId, now }));
			return kept.length === 1;
		},

		find: async (hash) => {
			const [row] = await run(() => find.execute({ hash }));
			return row === undefined ? null : { userId: row.userId, isSubscribed: row.optIn ?? false };
		}
	};
};
