import { eq, sql } from 'drizzle-orm';
import type { NewAccount } from '#lib/domain/account/ports.ts';
import type { Email } from '#lib/domain/email.ts';
import type { UserId } from '#lib/domain/ids.ts';
import type { FoundReserved } from '#lib/domain/sign-in/ports.ts';
import type { User } from '#lib/domain/user.ts';
import { addUserData } from '../consent/user-data.ts';
import { adoptPurchases } from '../purchases/adopt-purchases.ts';
import { userColumns } from '../rows.ts';
import {
	onlyRowOf,
	preparedStep,
	rowsOf,
	type Sql,
	type Tables,
	type Transaction,
	type Work
} from '../sql.ts';
import { rightOf } from '../email-change/undo-rights.ts';
import { addEmails } from '../delivery/add-emails.ts';
import { lockingAccount } from '../sessions/revocation.ts';

export interface FoundOrCreatedAccount {
	readonly kind: 'account';
	readonly user: User;
	readonly deletedAt: Date | null;
	readonly created: boolean;
}

/**
 * Finds the account of an address and locks it until the transaction ends. A concurrent deletion
 * or email change happens entirely before or entirely after. Creates the account when there is
 * none, unless `account` is null or the address is reserved.
 */
export function* findOrCreateAccount(
	database: Sql,
	tx: Transaction,
	email: Email,
	account: NewAccount | null,
	now: Date
): Work<FoundOrCreatedAccount | FoundReserved | null> {
	const { tables } = database;
	for (;;) {
		const [found] = yield* lock(tx, tables, { email });
		if (found !== undefined) {
			const { deletedAt, ...user } = found;
			return { kind: 'account', user, deletedAt, created: false };
		}
		// After the lock, which waits for an account that leaves the address at the same moment.
		const right = yield* rightOf(tx, tables, email, now);
		if (right !== null) return { kind: 'reserved', undo: right.id, until: right.expiresAt };
		if (account === null) return null;
		// The unique index decides which transaction creates the account. This insert waits for a
		// concurrent one.
		const [user] = yield* create(tx, tables, { ...account.user, email });
		if (user === undefined) continue;

		yield* addUserData(database, tx, account, email);
		yield* adoptPurchases(database, tx, account, email);
		yield* addEmails(tx, tables, account.emails);
		return { kind: 'account', user, deletedAt: null, created: true };
	}
}

const lock = preparedStep((tx, tables) =>
	lockingAccount(tx, tables, eq(tables.user.email, sql.placeholder('email')))
);

const create = preparedStep((tx, tables) =>
	tx
		.insert(tables.user)
		.values({
			id: sql.placeholder('id'),
			email: sql.placeholder('email'),
			emailVerified: sql.placeholder('emailVerified'),
			name: sql.placeholder('name'),
			image: sql.placeholder('image'),
			createdAt: sql.placeholder('createdAt'),
			updatedAt: sql.placeholder('updatedAt')
		})
		.onConflictDoNothing({ target: tables.user.email })
		.returning(userColumns(tables))
);

/** Restores a deleted account. */
export function* restore(tx: Transaction, tables: Tables, id: UserId, now: Date): Work<User> {
	const restored = rowsOf(
		tx
			.update(tables.user)
			.set({ deletedAt: null, updatedAt: now })
			.where(eq(tables.user.id, id))
			.returning(userColumns(tables))
	);
	return yield* onlyRowOf(restored);
}
