import { eq, inArray } from 'drizzle-orm';
import { StoreUnavailable } from '#lib/domain/errors.ts';
import type { Redeemed, Redemption, SignIns } from '#lib/domain/ports/sign-ins.ts';
import type { SessionId } from '#lib/domain/ids.ts';
import type { SecretHash } from '#lib/domain/secret.ts';
import type { NewAccount, User } from '#lib/domain/user.ts';
import { sessionColumns, userColumns } from './rows.ts';
import { rowsOf, type Sql, type Tables, type Transaction, type Work } from './sql.ts';

export const sqlSignIns = ({ tables, atomic }: Sql): SignIns => ({
	redeem: (redemption) => atomic((tx) => redeem(tx, tables, redemption))
});

function* redeem(
	tx: Transaction,
	tables: Tables,
	{ challengeId, account, session, replaces }: Redemption
): Work<Redeemed | null> {
	// First of all: the row is there for one deletion only, and that one goes on. Nothing has been
	// written yet, so for the others there is nothing to take back.
	const { verification } = tables;
	const [consumed] = yield* rowsOf(
		tx
			.delete(verification)
			.where(eq(verification.id, challengeId))
			.returning({ binding: verification.binding })
	);
	if (consumed === undefined) return null;
	if (consumed.binding !== '') {
		yield tx
			.delete(verification)
			.where(eq(verification.binding, consumed.binding))
			.returning({ id: verification.id });
	}

	const { user, created } = yield* accountOf(tx, tables, account);

	const replaced = yield* sessionOf(tx, tables, replaces);
	const [opened] = yield* rowsOf(
		tx
			.insert(tables.session)
			.values({ ...session, userId: user.id, updatedAt: session.createdAt })
			.returning(sessionColumns(tables))
	);
	if (opened === undefined) throw new StoreUnavailable('no_session');

	const { authThrottle } = tables;
	yield tx
		.update(authThrottle)
		.set({ failures: 0, failedAt: null })
		.where(eq(authThrottle.email, account.user.email))
		.returning({ email: authThrottle.email });

	return { user, session: opened, created, replaced };
}

/** Ends the session that is kept under one of the hashes, if there is one. */
function* sessionOf(
	tx: Transaction,
	{ session }: Tables,
	hashes: readonly SecretHash[]
): Work<SessionId | null> {
	if (hashes.length === 0) return null;
	const [ended] = yield* rowsOf(
		tx
			.delete(session)
			.where(inArray(session.tokenHash, [...hashes]))
			.returning({ id: session.id })
	);
	return ended?.id ?? null;
}

/** The unique index decides who creates: an insert beside this one is waited for, then found. */
function* accountOf(
	tx: Transaction,
	tables: Tables,
	{ user, userData }: NewAccount
): Work<{ user: User; created: boolean }> {
	const columns = userColumns(tables);
	const [created] = yield* rowsOf(
		tx
			.insert(tables.user)
			.values(user)
			.onConflictDoNothing({ target: tables.user.email })
			.returning(columns)
	);
	if (created !== undefined) {
		yield tx.insert(tables.userData).values(userData).returning({ userId: tables.userData.userId });
		return { user: created, created: true };
	}
	const [existing] = yield* rowsOf(
		tx.select(columns).from(tables.user).where(eq(tables.user.email, user.email))
	);
	// It was deleted between the two statements. Everything is rolled back; trying again works.
	if (existing === undefined) throw new StoreUnavailable('user_vanished');
	return { user: existing, created: false };
}
