import { and, eq, gt, isNull, lte, sql } from 'drizzle-orm';
import type { SessionId, UserId } from '#lib/domain/ids.ts';
import type { Sessions } from '#lib/domain/sessions/ports.ts';
import { forgetDevice } from '../devices/forget-devices.ts';
import { asText, atMost, bound, sessionColumns, userColumns } from '../rows.ts';
import { sqlSessionLists } from './lists.ts';
import { sqlDeviceSessions } from './on-device.ts';
import { refreshing, refreshWithDevice, toSession } from './refresh.ts';
import { rowsOf, type Sql, type Tables, type Transaction, type Work } from '../sql.ts';
import { endSessions, lockAccount, revokeCodes } from './revocation.ts';

export const sqlSessions = (database: Sql): Sessions => {
	const { db, tables, run, transaction, skipLocked } = database;
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

	const refresh = refreshing(db, tables).prepare('session_refresh');

	const end = db
		.delete(t)
		.where(eq(t.tokenHash, sql.placeholder('tokenHash')))
		.returning({ id: t.id })
		.prepare('session_end');

	return {
		find: async (tokenHash, now) => {
			const [row] = await run(() => find.execute({ tokenHash, now }));
			return row ?? null;
		},

		refresh: async (id, now, dueSince, expiresAt, device = null) => {
			const values = { id, now, dueSince, expiresAt };
			if (device !== null) {
				return transaction((tx) => refreshWithDevice(database, tx, values, device));
			}
			const [row] = await run(() => refresh.execute(values));
			return row === undefined ? null : { session: toSession(row), usesNewKey: false };
		},

		...sqlSessionLists(database),

		end: async (tokenHash) => {
			const [ended] = await run(() => end.execute({ tokenHash }));
			return ended?.id ?? null;
		},

		endOne: (userId, id) => transaction((tx) => endOne(tx, tables, userId, id)),

		...sqlDeviceSessions(database),

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

/**
 * A statement of its own, after the session's: only then does it see the device that a concurrent
 * refresh gave to the session.
 */
function* endOne(
	tx: Transaction,
	tables: Tables,
	userId: UserId,
	id: SessionId
): Work<SessionId | null> {
	const { session: t } = tables;
	const deleted = yield* rowsOf(
		tx
			.delete(t)
			.where(and(eq(t.id, id), eq(t.userId, userId)))
			.returning({ id: t.id, deviceId: t.deviceId })
	);
	const [ended] = deleted;
	if (ended?.deviceId) yield* forgetDevice(tx, tables, userId, ended.deviceId);
	return ended?.id ?? null;
}

function* endAll(
	tx: Transaction,
	tables: Tables,
	userId: UserId,
	keep: SessionId | null
): Work<readonly SessionId[]> {
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
