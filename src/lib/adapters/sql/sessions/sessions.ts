import { and, desc, eq, gt, isNull, lte, or, sql } from 'drizzle-orm';
import type { DeviceId, SessionId, UserId } from '#lib/domain/ids.ts';
import type { Session, Sessions } from '#lib/domain/sessions/ports.ts';
import { forgetDevice, forgetDevices, type DropDevices } from './devices.ts';
import { recordEvent } from '../events/record-event.ts';
import { asColumn, encodedPlaceholder, deleteSome, sessionColumns, userColumns } from '../rows.ts';
import {
	preparedStep,
	rowsOf,
	type Sql,
	type Tables,
	type Transaction,
	type Work
} from '../sql.ts';
import {
	deleteSessionsExcept,
	lockAccount,
	lockWithCodes,
	recordEnded
} from '../locked-account.ts';

export const sqlSessions = (database: Sql): Sessions => {
	const { db, tables, run, transaction } = database;
	const { session: t, device: d } = tables;

	const find = db
		.select({ user: userColumns(tables), session: sessionColumns(tables) })
		.from(t)
		.innerJoin(tables.user, eq(tables.user.id, t.userId))
		.where(
			and(
				eq(t.tokenHash, asColumn('tokenHash', t.tokenHash)),
				gt(t.expiresAt, encodedPlaceholder('now', t.expiresAt)),
				isNull(tables.user.deletedAt)
			)
		)
		.prepare('session_find');

	return {
		find: async (tokenHash, now) => {
			const [row] = await run(() => find.execute({ tokenHash, now }));
			return row ?? null;
		},

		refresh: (id, times) => transaction((tx) => refresh(tx, id, times)),

		listOf: (userId, now) =>
			run(() =>
				db
					.select({ ...sessionColumns(tables), deviceId: t.deviceId })
					.from(t)
					.where(and(eq(t.userId, userId), gt(t.expiresAt, now)))
					.orderBy(desc(t.updatedAt), desc(t.id))
			),

		end: (tokenHash) =>
			transaction(function* (tx) {
				const [ended] = yield* endByToken(tx, { tokenHash });
				if (ended !== undefined) yield* recordEvent(tx, 'signed_out', ended.userId);
				return ended?.id ?? null;
			}),

		endOne: (userId, id) => transaction((tx) => endOne(tx, userId, id)),

		onDevice: async (id, device, now) => {
			const [session = null] = await run(() =>
				db
					.select(sessionColumns(tables))
					.from(t)
					.where(and(isOn(t, id, device), gt(t.expiresAt, now)))
					.orderBy(desc(eq(t.id, id)), desc(t.updatedAt))
					.limit(1)
			);
			if (session !== null) {
				const { userAgent, updatedAt: usedAt } = session;
				return { session, device: { userAgent, usedAt } };
			}
			const isKnown = device === null ? sql`false` : and(eq(d.id, device), eq(d.isKnown, true));
			const seen = { userAgent: d.userAgent, usedAt: d.usedAt };
			const [known = null] = await run(() => db.select(seen).from(d).where(isKnown));
			return { session, device: known };
		},

		endOnDevice: (id, device) => transaction((tx) => endOnDevice(tx, id, device)),

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

/** Matches by the session's device id: a dropped device can still have live sessions. */
const isOn = (
	t: Tables['session'],
	id: SessionId | null,
	device: DeviceId | null
): ReturnType<typeof or> =>
	or(id === null ? sql`false` : eq(t.id, id), device === null ? undefined : eq(t.deviceId, device));

/**
 * Locks the account first. A sign-in at the same time commits first and ends here, or commits
 * later, when the device is no longer known.
 */
function* endOnDevice(
	tx: Transaction,
	id: SessionId | null,
	device: DeviceId | null
): Work<readonly SessionId[]> {
	const { session: t, device: d, user } = tx.tables;
	const isEnded = isOn(t, id, device);
	const [opened] = yield* rowsOf(tx.select({ userId: t.userId }).from(t).where(isEnded).limit(1));
	const [known] =
		device === null
			? []
			: yield* rowsOf(tx.select({ userId: d.userId }).from(d).where(eq(d.id, device)));
	const userId = opened?.userId ?? known?.userId;
	if (userId === undefined) return [];
	yield* lockAccount(tx, eq(user.id, userId));
	const deleted = yield* rowsOf(
		tx
			.delete(t)
			.where(and(eq(t.userId, userId), isEnded))
			.returning({ id: t.id })
	);
	if (device !== null) yield* forgetDevice(tx, userId, device);
	yield* recordEnded(tx, userId, deleted);
	return deleted.map(({ id }) => id);
}

/** After the first refresh, `updated_at` is later than `dueSince`, so concurrent ones match no row. */
const refreshSession = preparedStep((tx, tables) => {
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
});

function* refresh(
	tx: Transaction,
	id: SessionId,
	times: Parameters<Sessions['refresh']>[1]
): Work<Session | null> {
	const { device: d } = tx.tables;
	const [row] = yield* refreshSession(tx, { id, ...times });
	if (row === undefined) return null;
	const { deviceId, ...session } = row;
	if (deviceId !== null) yield tx.update(d).set({ usedAt: times.now }).where(eq(d.id, deviceId));
	return session;
}
