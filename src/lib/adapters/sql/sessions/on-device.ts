import { and, desc, eq, gt, or, sql } from 'drizzle-orm';
import type { DeviceId, SessionId } from '#lib/domain/ids.ts';
import type { Sessions } from '#lib/domain/sessions/ports.ts';
import { lockAccount } from '../account/lock-account.ts';
import { forgetDevice } from './devices.ts';
import { sessionColumns } from '../rows.ts';
import { rowsOf, type Sql, type Tables, type Transaction, type Work } from '../sql.ts';
import { recordEnded } from './revocation.ts';

export const sqlDeviceSessions = ({
	db,
	tables,
	run,
	transaction
}: Sql): Pick<Sessions, 'onDevice' | 'endOnDevice'> => {
	const { session: t, device: d } = tables;
	return {
		onDevice: async (id, device, now) => {
			const [session = null] = await run(() =>
				db
					.select(sessionColumns(tables))
					.from(t)
					.where(and(isOn(t, id, device), gt(t.expiresAt, now)))
					.orderBy(desc(eq(t.id, id)), desc(t.updatedAt))
					.limit(1)
			);
			if (session !== null) return { session, userAgent: session.userAgent };
			const isIt = device === null ? sql`false` : and(eq(d.id, device), eq(d.isKnown, true));
			const [known] = await run(() => db.select({ userAgent: d.userAgent }).from(d).where(isIt));
			return { session, userAgent: known?.userAgent ?? null };
		},

		endOnDevice: (id, device) => transaction((tx) => endOnDevice(tx, id, device))
	};
};

/** The account can have dropped the device, and sessions on it stay. */
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
			.returning({ id: t.id, deviceId: t.deviceId })
	);
	// A refresh can have given the session another device.
	const theirs = [device, ...deleted.map(({ deviceId }) => deviceId)].filter((one) => one !== null);
	for (const one of new Set(theirs)) yield* forgetDevice(tx, userId, one);
	yield* recordEnded(tx, userId, deleted);
	return deleted.map(({ id }) => id);
}
