import { and, desc, eq, gt, isNull, lte, sql } from 'drizzle-orm';
import type { SessionId, UserId } from '#lib/domain/ids.ts';
import type { DeviceRefresh, Refreshed, Session, Sessions } from '#lib/domain/sessions/ports.ts';
import { lockAccount } from '../account/lock-account.ts';
import { forgetDevice, forgetDevices, placeDevice, type DropDevices } from './devices.ts';
import { recordEvent } from '../events/record-event.ts';
import {
	asId,
	asText,
	encodedPlaceholder,
	deleteSome,
	sessionColumns,
	userColumns
} from '../rows.ts';
import {
	preparedStep,
	rowsOf,
	type Sql,
	type Tables,
	type Transaction,
	type Work
} from '../sql.ts';
import { sqlDeviceSessions } from './on-device.ts';
import { deleteSessionsExcept, recordEnded, lockWithCodes } from './revocation.ts';

export const sqlSessions = (database: Sql): Sessions => {
	const { db, tables, run, transaction } = database;
	const t = tables.session;

	const find = db
		.select({ user: userColumns(tables), session: sessionColumns(tables) })
		.from(t)
		.innerJoin(tables.user, eq(tables.user.id, t.userId))
		.where(
			and(
				eq(t.tokenHash, asText('tokenHash')),
				gt(t.expiresAt, encodedPlaceholder('now', t.expiresAt)),
				isNull(tables.user.deletedAt)
			)
		)
		.prepare('session_find');

	const refresh = refreshStatement(db, tables).prepare('session_refresh');

	const isOpen = gt(t.expiresAt, encodedPlaceholder('now', t.expiresAt));
	const listOf = db
		.select({ ...sessionColumns(tables), deviceId: t.deviceId })
		.from(t)
		.where(and(eq(t.userId, asId('userId', t.userId)), isOpen))
		.orderBy(desc(t.updatedAt), desc(t.id))
		.prepare('session_list_of');

	return {
		find: async (tokenHash, now) => {
			const [row] = await run(() => find.execute({ tokenHash, now }));
			return row ?? null;
		},

		refresh: async (id, now, dueSince, expiresAt, device = null) => {
			const values = { id, now, dueSince, expiresAt };
			if (device !== null) {
				return transaction((tx) => refreshWithDevice(tx, values, device));
			}
			const [row] = await run(() => refresh.execute(values));
			return row === undefined ? null : { session: toSession(row), usesNewKey: false };
		},

		listOf: (userId, now) => run(() => listOf.execute({ userId, now })),

		end: (tokenHash) =>
			transaction(function* (tx) {
				const [ended] = yield* endByToken(tx, { tokenHash });
				if (ended !== undefined) yield* recordEvent(tx, 'signed_out', ended.userId);
				return ended?.id ?? null;
			}),

		endOne: (userId, id) => transaction((tx) => endOne(tx, userId, id)),

		...sqlDeviceSessions(database),

		endSessionsExcept: (userId, keep) => transaction((tx) => endSessionsExcept(tx, userId, keep)),

		prune: (now, limit) => deleteSome(database, limit, t.id, lte(t.expiresAt, now), [t.expiresAt])
	};
};

const endByToken = preparedStep((tx, { session: t }) =>
	tx
		.delete(t)
		.where(eq(t.tokenHash, sql.placeholder('tokenHash')))
		.returning({ id: t.id, userId: t.userId })
);

export function* endOne(tx: Transaction, userId: UserId, id: SessionId): Work<SessionId | null> {
	const { session: t } = tx.tables;
	const deleted = yield* rowsOf(
		tx
			.delete(t)
			.where(and(eq(t.id, id), eq(t.userId, userId)))
			.returning({ id: t.id, deviceId: t.deviceId })
	);
	const [ended] = deleted;
	// Not one statement: a concurrent refresh can change the device until the row is deleted, so its id
	// comes from the deleted row.
	if (ended?.deviceId) yield* forgetDevice(tx, userId, ended.deviceId);
	yield* recordEnded(tx, userId, deleted);
	return ended?.id ?? null;
}

export function* endSessionsExcept(
	tx: Transaction,
	userId: UserId,
	keep: SessionId | null,
	dropDevices: DropDevices | null = forgetDevices
): Work<readonly SessionId[]> {
	const account = yield* lockWithCodes(tx, eq(tx.tables.user.id, userId));
	if (account === undefined) return [];
	return yield* deleteSessionsExcept(tx, userId, keep, dropDevices);
}

type RefreshedRow = Session & Pick<Tables['session']['$inferSelect'], 'deviceId'>;

/** The first refresh moves `updated_at` past the guard, so concurrent ones match no row. */
const refreshStatement = (tx: Pick<Transaction, 'update'>, tables: Tables) => {
	const { session: t } = tables;
	return tx
		.update(t)
		.set({
			updatedAt: encodedPlaceholder('now', t.updatedAt),
			expiresAt: encodedPlaceholder('expiresAt', t.expiresAt)
		})
		.where(
			and(
				eq(t.id, sql.placeholder('id')),
				lte(t.updatedAt, encodedPlaceholder('dueSince', t.updatedAt)),
				gt(t.expiresAt, encodedPlaceholder('now', t.expiresAt))
			)
		)
		.returning({ ...sessionColumns(tables), deviceId: t.deviceId });
};

const refreshStep = preparedStep(refreshStatement);

const toSession = ({ deviceId: _, ...session }: RefreshedRow): Session => session;

interface RefreshValues {
	readonly id: SessionId;
	readonly now: Date;
	readonly dueSince: Date;
	readonly expiresAt: Date;
}

/** Locks the account, as all transactions on one do, so no other one adds a device to it. */
function* refreshWithDevice(
	tx: Transaction,
	values: RefreshValues,
	{ userId, placement }: DeviceRefresh
): Work<Refreshed | null> {
	const { session: t, user } = tx.tables;
	const account = yield* lockAccount(tx, eq(user.id, userId));
	if (account === undefined) return null;
	const [row] = yield* refreshStep(tx, { ...values });
	if (row === undefined) return null;
	const { id, keptKey } = yield* placeDevice(tx, userId, placement, row.deviceId, null);
	if (id !== row.deviceId) {
		yield tx.update(t).set({ deviceId: id }).where(eq(t.id, row.id));
	}
	return { session: toSession(row), usesNewKey: !keptKey };
}
