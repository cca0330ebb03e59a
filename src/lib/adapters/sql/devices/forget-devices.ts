import { and, eq, sql } from 'drizzle-orm';
import type { DeviceId, SessionId, UserId } from '#lib/domain/ids.ts';
import type { Tables, Transaction, Work } from '../sql.ts';

/** Forgets a device for one account. Other accounts keep it. */
export function* forgetDevice(
	tx: Transaction,
	{ device: t }: Tables,
	userId: UserId,
	id: DeviceId
): Work<void> {
	yield tx
		.delete(t)
		.where(and(eq(t.id, id), eq(t.userId, userId)))
		.returning({ id: t.id });
}

/** Forgets the devices of an account, except the one that the session `keep` was opened on. */
export function* forgetDevices(
	tx: Transaction,
	{ device: t, session }: Tables,
	userId: UserId,
	keep: SessionId | null
): Work<void> {
	const isKept =
		keep === null
			? undefined
			: sql`not exists (select 1 from ${session} where ${session.id} = ${keep} and ${session.deviceId} = ${t.id})`;
	yield tx
		.delete(t)
		.where(and(eq(t.userId, userId), isKept))
		.returning({ id: t.id });
}
