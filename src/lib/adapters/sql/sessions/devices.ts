import {
	and,
	desc,
	eq,
	getTableColumns,
	inArray,
	isNotNull,
	lte,
	or,
	sql,
	type SQL
} from 'drizzle-orm';
import type { Email } from '#lib/domain/email.ts';
import type { DevicePlacement, Devices, StoredDevice } from '#lib/domain/sessions/ports.ts';
import { arrangeDevices } from '#lib/domain/sessions/known-device.ts';
import type { OutboxRow } from '#lib/domain/outbox.ts';
import type { DeviceId, SessionId, UserId } from '#lib/domain/ids.ts';
import { deviceNoticesOf } from '#lib/domain/limits/counts.ts';
import { addMails } from '../delivery/outbox-rows.ts';
import { deleteSome } from '../rows.ts';
import { rowsOf, type Sql, type Transaction, type Work } from '../sql.ts';

export const sqlDevices = (database: Sql): Devices => {
	const { db, tables, run } = database;
	const { device: t, user } = tables;

	// A subselect for each row and not a join: a planner could begin a join with the account, and the
	// time of the lookup would then depend on whether there is one.
	const emailOf = db.select({ email: user.email }).from(user).where(eq(user.id, t.userId));
	const isPresented = eq(t.keyHash, sql.placeholder('keyHash'));
	const knownAccount = db
		.select({ userId: t.userId, email: sql`(${emailOf.getSQL()})`.mapWith(user.email) })
		.from(t)
		.where(and(isPresented, eq(t.isKnown, true)))
		.prepare('device_known_account');

	const { keyHash: _hash, userId: _user, ...shown } = getTableColumns(t);

	const lastEmail = db
		.select({ email: t.email })
		.from(t)
		.where(and(isPresented, isNotNull(t.email)))
		.orderBy(desc(t.usedAt))
		.limit(1)
		.prepare('device_last_email');

	return {
		knownAccount: async (keyHash, email) => {
			const rows = await run(() => knownAccount.execute({ keyHash }));
			return rows.find((row) => row.email === email)?.userId ?? null;
		},

		lastEmail: async (keyHash) => {
			const [row] = await run(() => lastEmail.execute({ keyHash }));
			return row?.email ?? null;
		},

		forgetEmail: async (keyHash) => {
			const isOnIt = eq(t.keyHash, keyHash);
			await run(() => db.update(t).set({ email: null }).where(isOnIt));
		},

		listOf: (userId) =>
			run(() =>
				db.select(shown).from(t).where(eq(t.userId, userId)).orderBy(desc(t.usedAt), desc(t.id))
			),

		prune: (usedBefore, limit) =>
			deleteSome(database, limit, t.id, lte(t.usedAt, usedBefore), [t.usedAt])
	};
};

interface PlacedDevice {
	readonly id: DeviceId;
	readonly wasKnown: boolean;
}

/**
 * Makes the client a known device of the account. The caller has locked the account and its sessions,
 * so that no other transaction adds a device. `sessionDevice` is the device of the session that the
 * client had.
 */
export function* placeDevice(
	tx: Transaction,
	userId: UserId,
	placement: DevicePlacement,
	sessionDevice: DeviceId | null,
	/** The email address that this browser's sign-in pages offer from now on. Null leaves the old one. */
	offeredEmail: Email | null
): Work<PlacedDevice> {
	const { device: t } = tx.tables;
	// A program keeps its key, so two sign-ins could add accounts to it at once. A browser gets a new key.
	if (placement.kind === 'program') yield* tx.lockValue(placement.keyHash);
	const found = yield* findAndLock(tx, userId, placement, sessionDevice);
	const arranged = arrangeDevices(found, userId, sessionDevice, placement);
	const { own, wasKnown, others, dropped } = arranged;
	const { keyHash, usedAt, userAgent } = placement;
	if (dropped.length > 0) yield tx.delete(t).where(inArray(t.id, [...dropped]));
	if (others.length > 0) {
		yield tx
			.update(t)
			.set({ keyHash, ...(offeredEmail && { email: null }) })
			.where(inArray(t.id, [...others]));
	}
	// A device that is not known any more gets the id that the link of its new notice names.
	const id = own !== null && wasKnown ? own : placement.id;
	if (own !== null) {
		const use = { id, keyHash, isKnown: true, usedAt, userAgent };
		yield tx
			.update(t)
			.set({ ...use, ...(offeredEmail && { email: offeredEmail }) })
			.where(eq(t.id, own));
		return { id, wasKnown };
	}
	const row = { id, keyHash, userId, email: offeredEmail, userAgent, createdAt: usedAt, usedAt };
	yield tx.insert(t).values(row);
	yield* dropOldest(tx, userId, placement);
	return { id, wasKnown };
}

/** Locks by an update that changes nothing, because SQLite has no other way. */
function* findAndLock(
	tx: Transaction,
	userId: UserId,
	{ presentedHashes }: DevicePlacement,
	sessionDevice: DeviceId | null
): Work<readonly StoredDevice[]> {
	const { device: t } = tx.tables;
	const isLinked =
		sessionDevice === null ? undefined : and(eq(t.id, sessionDevice), eq(t.userId, userId));
	const isPresented =
		presentedHashes.length === 0 ? undefined : inArray(t.keyHash, [...presentedHashes]);
	if (isLinked === undefined && isPresented === undefined) return [];
	return yield* rowsOf(
		tx
			.update(t)
			.set({ usedAt: sql`${t.usedAt}` })
			.where(or(isPresented, isLinked))
			.returning()
	);
}

/**
 * Drops devices above the cap: never the new one, unknown ones before known ones, then the least
 * recently used.
 */
function* dropOldest(tx: Transaction, userId: UserId, { id, limits }: DevicePlacement): Work<void> {
	const { device: t } = tx.tables;
	const ofAccount = tx.select({ id: t.id }).from(t).where(eq(t.userId, userId));
	const isNew = sql`case when ${t.id} = ${id} then 0 else 1 end`;
	const order = [isNew, desc(t.isKnown), desc(t.usedAt), desc(t.id)];
	const kept = ofAccount.orderBy(...order).limit(limits.perAccount);
	yield tx.delete(t).where(and(eq(t.userId, userId), sql`${t.id} not in (${kept.getSQL()})`));
}

export function* forgetDevice(tx: Transaction, userId: UserId, id: DeviceId): Work<void> {
	const { device: t } = tx.tables;
	yield tx.delete(t).where(and(eq(t.id, id), eq(t.userId, userId)));
}

const allExcept = (
	{ tables: { device: t, session } }: Transaction,
	userId: UserId,
	keep: SessionId | null
): SQL | undefined =>
	and(
		eq(t.userId, userId),
		keep === null
			? undefined
			: sql`not exists (select 1 from ${session} where ${session.id} = ${keep} and ${session.deviceId} = ${t.id})`
	);

export type DropDevices = (tx: Transaction, userId: UserId, keep: SessionId | null) => Work<void>;

export const forgetDevices: DropDevices = function* (tx, userId, keep) {
	const { device: t } = tx.tables;
	yield tx.delete(t).where(allExcept(tx, userId, keep));
};

/**
 * After an email change. The devices are no longer known. Their browsers still offer the email address
 * that last signed in: the owner of an old one can undo the change.
 */
export const markDevicesUnknown: DropDevices = function* (tx, userId, keep) {
	const { device: t } = tx.tables;
	yield tx
		.update(t)
		.set({ isKnown: false })
		.where(allExcept(tx, userId, keep));
	const isKept = and(eq(t.userId, userId), eq(t.isKnown, true));
	yield tx.update(t).set({ email: null }).where(isKept);
};

/**
 * Reports a sign-in on a new device. A client without a device is new each time, so an account gets one
 * such report a day. Returns whether the emails were stored.
 */
export function* reportNewDevice(
	tx: Transaction,
	userId: UserId,
	placed: PlacedDevice | null,
	mails: readonly OutboxRow[],
	now: Date
): Work<boolean> {
	if (mails.length === 0) return false;
	if (placed === null) {
		const { siteCount: t } = tx.tables;
		const row = { ...deviceNoticesOf(userId, now), count: 1 };
		const added = tx.insert(t).values(row).onConflictDoNothing().returning({ key: t.key });
		if ((yield* rowsOf(added)).length === 0) return false;
	}
	yield* addMails(tx, mails);
	return true;
}
