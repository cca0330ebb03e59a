import { and, desc, eq, inArray, or, sql } from 'drizzle-orm';
import type { DeviceId, UserId } from '#lib/domain/ids.ts';
import { arrangeDevices, type DeviceChange, type KnownDevice } from '#lib/domain/known-device.ts';
import { lockValue, rowsOf, type Sql, type Tables, type Transaction, type Work } from '../sql.ts';

export interface PlacedDevice {
	readonly id: DeviceId;
	readonly keptKey: boolean;
	/** Whether the account knew the device before. */
	readonly wasKnown: boolean;
}

/**
 * Makes a client a known device of an account. The caller has locked the account, so that no other
 * transaction adds a device to it. Devices are locked after sessions, like everywhere. `linked` is the
 * device of the session that the client had.
 */
export function* placeDevice(
	database: Sql,
	tx: Transaction,
	userId: UserId,
	change: DeviceChange,
	linked: DeviceId | null
): Work<PlacedDevice> {
	const { device: t } = database.tables;
	// Only a key that stays can get two further accounts at once. A new key is known to nobody yet.
	if (change.presented.includes(change.keyHash)) yield* lockValue(database, tx, change.keyHash);
	const found = yield* findAndLock(tx, database.tables, userId, change, linked);
	const { own, keyHash, keptKey, others, dropped } = arrangeDevices(found, userId, linked, change);
	if (dropped.length > 0)
		yield tx
			.delete(t)
			.where(inArray(t.id, [...dropped]))
			.returning({ id: t.id });
	if (others.length > 0) {
		yield tx
			.update(t)
			.set({ keyHash })
			.where(inArray(t.id, [...others]))
			.returning({ id: t.id });
	}
	const { usedAt } = change;
	if (own !== null) {
		yield tx.update(t).set({ keyHash, usedAt }).where(eq(t.id, own)).returning({ id: t.id });
		return { id: own, keptKey, wasKnown: true };
	}
	const row = { id: change.id, keyHash, userId, createdAt: usedAt, usedAt };
	yield tx.insert(t).values(row).returning({ id: t.id });
	yield* dropOldest(tx, database.tables, userId, change);
	return { id: change.id, keptKey, wasKnown: false };
}

/** Locks by an update that changes nothing, because SQLite has no other way. */
function* findAndLock(
	tx: Transaction,
	{ device: t }: Tables,
	userId: UserId,
	{ presented }: DeviceChange,
	linked: DeviceId | null
): Work<readonly KnownDevice[]> {
	const isLinked = linked === null ? undefined : and(eq(t.id, linked), eq(t.userId, userId));
	const isPresented = presented.length === 0 ? undefined : inArray(t.keyHash, [...presented]);
	if (isLinked === undefined && isPresented === undefined) return [];
	return yield* rowsOf(
		tx
			.update(t)
			.set({ usedAt: sql`${t.usedAt}` })
			.where(or(isPresented, isLinked))
			.returning({ id: t.id, userId: t.userId, keyHash: t.keyHash, usedAt: t.usedAt })
	);
}

/** Keeps the new device, whatever the clock said when the others were used. */
function* dropOldest(
	tx: Transaction,
	{ device: t }: Tables,
	userId: UserId,
	{ id, limits }: DeviceChange
): Work<void> {
	const ofAccount = tx.select({ id: t.id }).from(t).where(eq(t.userId, userId));
	const order = [sql`case when ${t.id} = ${id} then 0 else 1 end`, desc(t.usedAt), desc(t.id)];
	const kept = ofAccount.orderBy(...order).limit(limits.perAccount);
	yield tx
		.delete(t)
		.where(and(eq(t.userId, userId), sql`${t.id} not in (${kept.getSQL()})`))
		.returning({ id: t.id });
}
