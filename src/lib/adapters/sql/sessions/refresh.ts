import { and, eq, gt, lte, sql } from 'drizzle-orm';
import type { SessionId } from '#lib/domain/ids.ts';
import type { DeviceRefresh, Refreshed, Session } from '#lib/domain/sessions/ports.ts';
import { placeDevice } from '../devices/place-device.ts';
import { bound, sessionColumns } from '../rows.ts';
import {
	preparedStep,
	type Sql,
	type Statement,
	type Tables,
	type Transaction,
	type Work
} from '../sql.ts';
import { lockAccount } from './revocation.ts';

type RefreshedRow = Session & Pick<Tables['session']['$inferSelect'], 'deviceId'>;

/** The first refresh moves `updated_at` past the guard, so concurrent ones match no row. */
export const refreshing = (tx: Transaction, tables: Tables): Statement<RefreshedRow> => {
	const { session: t } = tables;
	return tx
		.update(t)
		.set({ updatedAt: bound('now', t.updatedAt), expiresAt: bound('expiresAt', t.expiresAt) })
		.where(
			and(
				eq(t.id, sql.placeholder('id')),
				lte(t.updatedAt, bound('dueSince', t.updatedAt)),
				gt(t.expiresAt, bound('now', t.expiresAt))
			)
		)
		.returning({ ...sessionColumns(tables), deviceId: t.deviceId });
};

const refresh = preparedStep(refreshing);

export const toSession = ({ deviceId: _, ...session }: RefreshedRow): Session => session;

export interface RefreshValues {
	readonly id: SessionId;
	readonly now: Date;
	readonly dueSince: Date;
	readonly expiresAt: Date;
}

/**
 * Locks the account first, as all transactions on an account do, and so that no other transaction
 * adds a device to it.
 */
export function* refreshWithDevice(
	database: Sql,
	tx: Transaction,
	values: RefreshValues,
	{ userId, change }: DeviceRefresh
): Work<Refreshed | null> {
	const { tables } = database;
	const { session: t, user } = tables;
	const account = yield* lockAccount(tx, tables, eq(user.id, userId));
	if (account === undefined) return null;
	const [row] = yield* refresh(tx, tables, { ...values });
	if (row === undefined) return null;
	const { id, keptKey } = yield* placeDevice(database, tx, userId, change, row.deviceId);
	if (id !== row.deviceId) {
		yield tx.update(t).set({ deviceId: id }).where(eq(t.id, row.id)).returning({ id: t.id });
	}
	return { session: toSession(row), usesNewKey: !keptKey };
}
