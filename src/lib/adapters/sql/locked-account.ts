import { and, eq, inArray, ne, sql, type SQL } from 'drizzle-orm';
import { ACCESS_PURPOSES, EMAIL_CHANGE_PURPOSES } from '#lib/domain/sign-in/ports.ts';
import type { Account } from '#lib/domain/account/ports.ts';
import type { Email } from '#lib/domain/email.ts';
import type { SessionId, UserId } from '#lib/domain/ids.ts';
import type { User } from '#lib/domain/user.ts';
import { forgetDevices, type DropDevices } from './sessions/devices.ts';
import { recordEvent } from './events/record-event.ts';
import { accountColumns, userColumns } from './rows.ts';
import { onlyRowOf, rowsOf, type Statement, type Transaction, type Work } from './sql.ts';

/*
 * The steps of transactions on an account. They take their locks in the same order: the codes of
 * the email address, the account, its sessions, what the sessions requested, and devices. The
 * common order makes deadlocks rare. PostgreSQL ends the others, and they are retried.
 *
 * Codes come first because using one creates a session. A transaction that revokes codes waits
 * for those in use, and then sees the session to end. Sessions come before their requests because
 * ending a session removes its requests by cascade.
 */

/** Revokes every code for an email address, and the restore grants of its account. */
export function* revokeCodes(tx: Transaction, email: Email): Work<void> {
	const { verification: t } = tx.tables;
	yield tx.delete(t).where(and(inArray(t.purpose, [...ACCESS_PURPOSES]), eq(t.email, email)));
}

export function* lockAccount(
	tx: Transaction,
	condition: SQL | undefined
): Work<Account | undefined> {
	const [account] = yield* rowsOf(lockStatement(tx, condition));
	return account;
}

/** Locks by an update that changes nothing, because SQLite has no other way. */
export const lockStatement = (tx: Transaction, condition: SQL | undefined): Statement<Account> =>
	tx
		.update(tx.tables.user)
		// Not a key column: locking one would also block rows that reference the account.
		.set({ updatedAt: sql`${tx.tables.user.updatedAt}` })
		.where(condition)
		.returning(accountColumns(tx.tables));

export const changeAccount = (tx: Transaction, id: UserId, change: Partial<Account>): Work<User> =>
	onlyRowOf(
		rowsOf(
			tx
				.update(tx.tables.user)
				.set(change)
				.where(eq(tx.tables.user.id, id))
				.returning(userColumns(tx.tables))
		)
	);

/** Revokes the codes for an account's email address, then locks the account. Undefined without one. */
export function* lockWithCodes(
	tx: Transaction,
	condition: SQL | undefined
): Work<Account | undefined> {
	const { user } = tx.tables;
	for (;;) {
		const [found] = yield* rowsOf(tx.select({ email: user.email }).from(user).where(condition));
		if (found === undefined) return undefined;
		yield* revokeCodes(tx, found.email);
		const account = yield* lockAccount(tx, and(condition, eq(user.email, found.email)));
		if (account !== undefined) return account;
		// Its email address changed meanwhile, so the codes of the new one must be revoked.
	}
}

export function* revokeChanges(tx: Transaction, userId: UserId): Work<void> {
	const { verification: t } = tx.tables;
	const isChange = inArray(t.purpose, [...EMAIL_CHANGE_PURPOSES]);
	yield tx.delete(t).where(and(eq(t.binding, userId), isChange));
}

/** Locks all sessions of an account. Returns those that are live at `now`. */
export function* lockSessions(
	tx: Transaction,
	userId: UserId,
	now: Date
): Work<readonly SessionId[]> {
	const { session: t } = tx.tables;
	const locked = yield* rowsOf(
		tx
			.update(t)
			.set({ updatedAt: sql`${t.updatedAt}` })
			.where(eq(t.userId, userId))
			.returning({ id: t.id, expiresAt: t.expiresAt })
	);
	return locked.filter(({ expiresAt }) => expiresAt > now).map(({ id }) => id);
}

/** Also revokes what these sessions requested, and drops all devices but that of `keep`. */
export function* deleteSessionsExcept(
	tx: Transaction,
	userId: UserId,
	keep: SessionId | null,
	dropDevices: DropDevices | null = forgetDevices
): Work<readonly SessionId[]> {
	const { session: t, verification } = tx.tables;
	const ended = yield* rowsOf(
		tx
			.delete(t)
			.where(and(eq(t.userId, userId), keep === null ? undefined : ne(t.id, keep)))
			.returning({ id: t.id })
	);
	if (keep !== null) {
		yield tx.delete(verification).where(eq(verification.requestedBy, keep));
	}
	if (dropDevices !== null) yield* dropDevices(tx, userId, keep);
	yield* recordEnded(tx, userId, ended);
	return ended.map(({ id }) => id);
}

export function* recordEnded(
	tx: Transaction,
	userId: UserId,
	ended: readonly unknown[]
): Work<void> {
	const count = ended.length;
	if (count > 0) yield* recordEvent(tx, 'session_ended', userId, { count });
}
