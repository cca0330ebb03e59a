import { and, desc, eq, gt, isNull, lte, sql } from 'drizzle-orm';
import type { SessionId, UserId } from '#lib/domain/ids.ts';
import { endedSessions, type EndedSession } from '#lib/domain/sessions/invalidation.ts';
import type { Sessions } from '#lib/domain/sessions/sessions.ts';
import { asText, atMost, bound, sessionColumns, userColumns } from '../rows.ts';
import { rowsOf, type Sql, type Tables, type Transaction, type Work } from '../sql.ts';
import { endSessions, lockAccount, revokeCodes } from './revocation.ts';

export const sqlSessions = ({ db, tables, run, transaction, skipLocked }: Sql): Sessions => {
	const t = tables.session;

	const find = db
		.select({ user: userColumns(tables), session: sessionColumns(tables) })
		.from(t)
		.innerJoin(tables.user, eq(tables.user.id, t.userId))
		.where(
			and(
				eq(t.tokenHash, asText('tokenHash')),
				gt(t.expiresAt, bound('now', t.expiresAt)),
				isNull(tables.user.deletedAt)
			)
		)
		.prepare('session_find');

	// The first refresh moves `updated_at` past the guard, so concurrent ones match no row.
	const refresh = db
		.update(t)
		.set({
			updatedAt: bound('now', t.updatedAt),
			expiresAt: bound('expiresAt', t.expiresAt)
		})
		.where(
			and(
				eq(t.id, sql.placeholder('id')),
				lte(t.updatedAt, bound('dueSince', t.updatedAt)),
				gt(t.expiresAt, bound('now', t.expiresAt))
			)
		)
		.returning(sessionColumns(tables))
		.prepare('session_refresh');

	const listOf = db
		.select(sessionColumns(tables))
		.from(t)
		.where(and(eq(t.userId, sql.placeholder('userId')), gt(t.expiresAt, bound('now', t.expiresAt))))
		.orderBy(desc(t.updatedAt), desc(t.id))
		.prepare('session_list_of');

	const end = db
		.delete(t)
		.where(eq(t.tokenHash, sql.placeholder('tokenHash')))
		.returning({ id: t.id })
		.prepare('session_end');

	const endOne = db
		.delete(t)
		.where(and(eq(t.id, sql.placeholder('id')), eq(t.userId, sql.placeholder('userId'))))
		.returning({ id: t.id })
		.prepare('session_end_one');

	return {
		find: async (tokenHash, now) => {
			const [row] = await run(() => find.execute({ tokenHash, now }));
			return row ?? null;
		},

		refresh: async (id, now, dueSince, expiresAt) => {
			const [row] = await run(() => refresh.execute({ id, now, dueSince, expiresAt }));
			return row ?? null;
		},

		listOf: (userId, now) => run(() => listOf.execute({ userId, now })),

		end: async (tokenHash) => {
			const [ended] = endedSessions(await run(() => end.execute({ tokenHash })));
			return ended ?? null;
		},

		endOne: async (userId, id) => {
			const [ended] = endedSessions(await run(() => endOne.execute({ userId, id })));
			return ended ?? null;
		},

		endAll: (userId, keep) => transaction((tx) => endAll(tx, tables, userId, keep)),

		prune: async (now, limit) => {
			const expired = lte(t.expiresAt, now);
			const removed = await run(() =>
				db
					.delete(t)
					.where(atMost(limit, t.id, expired, skipLocked, [t.expiresAt]))
					.returning({ id: t.id })
			);
			return removed.length;
		}
	};
};

function* endAll(
	tx: Transaction,
	tables: Tables,
	userId: UserId,
	keep: SessionId | null
): Work<readonly EndedSession[]> {
	const { user } = tables;
	for (;;) {
		const [account] = yield* rowsOf(
			tx.select({ email: user.email }).from(user).where(eq(user.id, userId))
		);
		if (account === undefined) return [];
		yield* revokeCodes(tx, tables, account.email);
		const isStillThere = and(eq(user.id, userId), eq(user.email, account.email));
		const locked = yield* lockAccount(tx, tables, isStillThere);
		// The account moved meanwhile, so the codes of its new address must be revoked instead.
		if (locked === undefined) continue;
		return yield* endSessions(tx, tables, userId, keep);
	}
}
