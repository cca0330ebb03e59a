import type { Account } from '#lib/domain/account/ports.ts';
import type { ConsentRecord, UserData } from '#lib/domain/consent/ports.ts';
import type { Email } from '#lib/domain/email.ts';
import { StoreUnavailable } from '#lib/domain/errors.ts';
import type { AccountEvent } from '#lib/domain/events/ports.ts';
import type { DeviceId, UndoId, UserId } from '#lib/domain/ids.ts';
import type { OutboxRow } from '#lib/domain/outbox.ts';
import type { FailedMail } from '#lib/domain/delivery/ports.ts';
import type { Purchase } from '#lib/domain/purchases/ports.ts';
import type { SecretHash } from '#lib/domain/secret.ts';
import type { AccountDevice, Session, StoredDevice } from '#lib/domain/sessions/ports.ts';
import type { Challenge } from '#lib/domain/sign-in/ports.ts';
import type { User } from '#lib/domain/user.ts';

export interface ThrottleRow {
	/**
	 * The mailbox for sends, the email address for wrong codes, which often are the same text. The
	 * id of the account for sends of its known devices.
	 */
	readonly key: string;
	/** Newest first, at most five. */
	readonly sentAt: readonly Date[];
	readonly wrongCodes: number;
	readonly wrongCodeAt: Date | null;
}

interface SiteCountRow {
	readonly key: string;
	readonly since: Date;
	readonly count: number;
}

/** An email with its next attempt, or with the end of the attempts. */
export interface StoredMail extends OutboxRow {
	readonly dueAt: Date;
	/** Its place among the emails of all queues. */
	readonly turn: number;
	readonly attempts: number;
	readonly failedAt: FailedMail['failedAt'] | null;
	readonly failure: FailedMail['failure'] | null;
}

export type SessionRow = Session & {
	readonly tokenHash: SecretHash;
	readonly deviceId: DeviceId | null;
};
type DeviceRow = StoredDevice & AccountDevice;

/** The same tables as in the databases, by primary key. */
export const memoryTables = () => ({
	users: new Map<string, Account>(),
	userData: new Map<string, UserData>(),
	consentRecords: new Map<string, ConsentRecord>(),
	/** By the hash of the token. */
	unsubscribeLinks: new Map<string, { readonly userId: UserId; readonly createdAt: Date }>(),
	events: new Map<string, AccountEvent & { readonly userId: UserId | null }>(),
	sessions: new Map<string, SessionRow>(),
	devices: new Map<string, DeviceRow>(),
	challenges: new Map<string, Challenge>(),
	emailUndos: new Map<string, EmailUndoRow>(),
	throttle: new Map<string, ThrottleRow>(),
	siteCounts: new Map<string, SiteCountRow>(),
	spentProofs: new Map<string, { readonly expiresAt: Date }>(),
	outboxRows: new Map<string, StoredMail>(),
	purchases: new Map<string, Purchase>(),
	/** Keyed by task and day. */
	taskRuns: new Map<string, { readonly task: string; readonly day: string }>()
});

export type MemoryTables = ReturnType<typeof memoryTables>;

/**
 * Rows are copied on the way in and out. Dates are mutable, and a caller must not change a stored
 * one.
 */
export const copy = <T>(row: T): T => structuredClone(row);

export const rowsOf = <T>(rows: Map<string, T>, is: (row: T) => boolean): T[] =>
	[...rows.values()].filter(is);

export const firstOf = <T>(rows: Map<string, T>, is: (row: T) => boolean): T | undefined =>
	[...rows.values()].find(is);

/** Changes all rows that match, and returns how many. */
export const change = <T extends object>(
	rows: Map<string, T>,
	is: (row: T) => boolean,
	to: Partial<T>
): number => {
	const found = [...rows].filter(([, row]) => is(row));
	for (const [key, row] of found) rows.set(key, copy({ ...row, ...to }));
	return found.length;
};

/** Adds a row, unless a row has its key, as a database does. */
export const insert = <T>(rows: Map<string, T>, key: string, row: T): void => {
	if (rows.has(key)) throw new StoreUnavailable('PRIMARY_KEY');
	rows.set(key, copy(row));
};

/** Runs all of the work or, when it throws, none of it, like a transaction of the databases. */
export const atomic = <T>(tables: MemoryTables, work: () => T): T => {
	const all: Map<string, unknown>[] = Object.values(tables);
	const before = all.map((rows) => [...rows]);
	try {
		return work();
	} catch (error) {
		for (const rows of all) rows.clear();
		before.forEach((entries, at) => entries.forEach(([key, row]) => all[at]?.set(key, row)));
		throw error;
	}
};

export const removeSome = <T>(rows: Map<string, T>, is: (row: T) => boolean, limit = Infinity) => {
	const found = [...rows].filter(([, row]) => is(row)).slice(0, limit);
	for (const [key] of found) rows.delete(key);
	return found.length;
};

/** The operation that removes expired rows. */
export const pruneExpired =
	(rows: Map<string, { readonly expiresAt: Date }>) =>
	async (now: Date, limit: number): Promise<number> =>
		removeSome(rows, ({ expiresAt }) => expiresAt <= now, limit);

/** Compares rows by a time, the latest first, and those of one moment by their id. */
export const latestFirst =
	<Row extends { readonly id: string }>(timeOf: (row: Row) => Date) =>
	(a: Row, b: Row): number =>
		timeOf(b).getTime() - timeOf(a).getTime() || (a.id < b.id ? 1 : -1);

/** A copy of the newest of these. */
export const latestOf = (challenges: Challenge[]): Challenge | null =>
	copy(challenges.sort(latestFirst(({ createdAt }) => createdAt))[0] ?? null);

export interface EmailUndoRow {
	readonly id: UndoId;
	readonly userId: UserId;
	/** The address that the account left. */
	readonly email: Email;
	readonly depth: number;
	readonly expiresAt: Date;
}

export const toUser = ({ deletedAt: _, blockedAt: _b, role: _r, ...user }: Account): User =>
	copy(user);

export const toSession = ({ tokenHash: _, deviceId: _d, ...session }: SessionRow): Session =>
	copy(session);
