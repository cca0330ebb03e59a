import { and, desc, eq, gt, inArray, isNull, lte, or, sql } from 'drizzle-orm';
import type { NewAccount } from '#lib/domain/account/ports.ts';
import type {
	ConsentChange,
	ConsentRecord,
	Consents,
	Granted,
	GrantLimit,
	UnsubscribeLinks
} from '#lib/domain/consent/ports.ts';
import type { Email } from '#lib/domain/email.ts';
import type { UserId } from '#lib/domain/ids.ts';
import { lockAccount } from '../locked-account.ts';
import { recordEvent } from '../events/record-event.ts';
import { onViolation, rowsOf, type Sql, type Tables, type Transaction, type Work } from '../sql.ts';

export const sqlConsents = ({ db, tables, run, transaction }: Sql): Consents => {
	const { userData, consentRecord: t } = tables;
	return {
		of: async (userId) => {
			const isTheirs = eq(userData.userId, userId);
			const [row] = await run(() => db.select().from(userData).where(isTheirs));
			return row ?? null;
		},

		grantMarketing: (change, limit) => transaction((tx) => grant(tx, change, limit)),

		withdrawMarketing: (change, givenBy) => transaction((tx) => withdraw(tx, change, givenBy)),

		historyOf: async (userId, limit) => {
			const rows = await run(() =>
				db.select().from(t).where(eq(t.userId, userId)).orderBy(desc(t.at), desc(t.id)).limit(limit)
			);
			return rows.map(toRecord);
		}
	};
};

/** Locking the account first puts concurrent changes of its consent in an order. */
function* grant(tx: Transaction, change: ConsentChange, limit: GrantLimit): Work<Granted> {
	const { user, userData, consentRecord: t } = tx.tables;
	const { userId, at } = change;
	const isActive = and(eq(user.id, userId), isNull(user.deletedAt));
	const account = yield* lockAccount(tx, isActive);
	if (account === undefined) return { kind: 'no_account' };
	const [given] = yield* rowsOf(
		tx
			.select({ userId: userData.userId })
			.from(userData)
			.where(and(eq(userData.userId, userId), eq(userData.marketingOptIn, true)))
	);
	if (given !== undefined) return { kind: 'unchanged' };
	const isCounted = and(eq(t.userId, userId), eq(t.action, 'granted'), gt(t.at, limit.since));
	const latest = tx.select({ at: t.at }).from(t).where(isCounted).orderBy(desc(t.at));
	const counted = yield* rowsOf(latest.limit(limit.grants));
	const oldest = counted.length === limit.grants ? counted.at(-1) : undefined;
	if (oldest !== undefined) return { kind: 'too_many', oldest: oldest.at };

	const agreed = { marketingOptIn: true, marketingOptInAt: at };
	yield tx
		.insert(userData)
		.values({ userId, ...agreed })
		.onConflictDoUpdate({ target: userData.userId, set: agreed });
	yield* addConsentRecord(tx, change, 'granted', account.email);
	return { kind: 'granted' };
}

function* withdraw(tx: Transaction, change: ConsentChange, givenBy?: Date): Work<boolean> {
	const { user, userData } = tx.tables;
	const { userId } = change;
	const account = yield* lockAccount(tx, eq(user.id, userId));
	if (account === undefined) return false;
	const { marketingOptInAt: givenAt } = userData;
	const isNotLater = givenBy && or(isNull(givenAt), lte(givenAt, givenBy));
	const [withdrawn] = yield* rowsOf(
		tx
			.update(userData)
			.set({ marketingOptIn: false, marketingOptInAt: null })
			.where(and(eq(userData.userId, userId), eq(userData.marketingOptIn, true), isNotLater))
			.returning({ userId: userData.userId })
	);
	if (withdrawn === undefined) return true;
	yield* addConsentRecord(tx, change, 'withdrawn', account.email);
	return true;
}

const toRecord = ({
	wording,
	wordingVersion,
	...row
}: Tables['consentRecord']['$inferSelect']): ConsentRecord => ({
	...row,
	wording:
		wording === null || wordingVersion === null ? null : { version: wordingVersion, text: wording }
});

function* addConsentRecord(
	tx: Transaction,
	{ id, userId, at, occasion }: ConsentChange,
	action: ConsentRecord['action'],
	email: Email
): Work<void> {
	const { wording: read, ...where } = occasion;
	const wording = { wording: read && read.text, wordingVersion: read && read.version };
	const about = { id, userId, at, email, action, purpose: 'marketing', ...where } as const;
	yield tx.insert(tx.tables.consentRecord).values({ ...about, ...wording });
	yield* recordEvent(tx, action === 'granted' ? 'consent_granted' : 'consent_withdrawn', userId);
}

export function* addUserData(
	tx: Transaction,
	{ userData, consent }: NewAccount,
	email: Email
): Work<void> {
	// Not prepared: drizzle cannot encode null for a date placeholder.
	const t = tx.tables.userData;
	yield tx.insert(t).values(userData);
	if (consent !== null) yield* addConsentRecord(tx, consent, 'granted', email);
}

/** The records stay as evidence that consents were recorded and honoured, but name no person. */
export function* blankConsentRecords(tx: Transaction, purged: readonly UserId[]): Work<void> {
	const { consentRecord } = tx.tables;
	yield tx
		.update(consentRecord)
		.set({ userId: null, email: null })
		.where(inArray(consentRecord.userId, [...purged]));
}

export const sqlUnsubscribeLinks = ({ db, tables, run }: Sql): UnsubscribeLinks => {
	const { userData, unsubscribeLink: t } = tables;

	return {
		add: async (hash, userId, createdAt) => {
			// A purge can come in between, and the reference then refuses the row.
			const stored = run(() =>
				db
					.insert(t)
					.values({ tokenHash: hash, userId, createdAt })
					// Changes nothing. A row that is not changed would not be returned.
					.onConflictDoUpdate({ target: t.tokenHash, set: { createdAt: sql`${t.createdAt}` } })
					.returning({ userId: t.userId })
			);
			return (await stored.catch(onViolation('reference', []))).length === 1;
		},

		find: async (hash) => {
			const [row] = await run(() =>
				db
					.select({ userId: t.userId, optIn: userData.marketingOptIn })
					.from(t)
					.leftJoin(userData, eq(userData.userId, t.userId))
					.where(eq(t.tokenHash, hash))
			);
			return row === undefined ? null : { userId: row.userId, isSubscribed: row.optIn ?? false };
		}
	};
};
