import { and, desc, eq, gt, isNull, lte, or } from 'drizzle-orm';
import type {
	ConsentChange,
	ConsentRecord,
	Consents,
	Granted,
	GrantLimit
} from '#lib/domain/consent/ports.ts';
import { lockAccount } from '../sessions/revocation.ts';
import { rowsOf, type Sql, type Tables, type Transaction, type Work } from '../sql.ts';
import { addConsentRecord } from './add-consent-record.ts';

export const sqlConsents = ({ db, tables, run, transaction }: Sql): Consents => ({
	grantMarketing: (change, limit) => transaction((tx) => grant(tx, tables, change, limit)),

	withdrawMarketing: (change, givenBy) =>
		transaction((tx) => withdraw(tx, tables, change, givenBy)),

	historyOf: async (userId, limit) => {
		const { consentRecord: t } = tables;
		const rows = await run(() =>
			db.select().from(t).where(eq(t.userId, userId)).orderBy(desc(t.at), desc(t.id)).limit(limit)
		);
		return rows.map(toRecord);
	}
});

/** Locking the account first puts concurrent changes of its consent in an order. */
function* grant(
	tx: Transaction,
	tables: Tables,
	change: ConsentChange,
	limit: GrantLimit
): Work<Granted> {
	const { user, userData } = tables;
	const { userId, at } = change;
	const isActive = and(eq(user.id, userId), isNull(user.deletedAt));
	const account = yield* lockAccount(tx, tables, isActive);
	if (account === undefined) return { kind: 'no_account' };
	const [given] = yield* rowsOf(
		tx
			.select({ userId: userData.userId })
			.from(userData)
			.where(and(eq(userData.userId, userId), eq(userData.marketingOptIn, true)))
	);
	if (given !== undefined) return { kind: 'unchanged' };
	const counted = yield* latestGrants(tx, tables, change, limit);
	const oldest = counted.length === limit.grants ? counted.at(-1) : undefined;
	if (oldest !== undefined) return { kind: 'too_many', oldest: oldest.at };

	const agreed = { marketingOptIn: true, marketingOptInAt: at };
	yield tx
		.insert(userData)
		.values({ userId, ...agreed })
		.onConflictDoUpdate({ target: userData.userId, set: agreed })
		.returning({ userId: userData.userId });
	yield* addConsentRecord(tx, tables, change, 'granted', account.email);
	return { kind: 'granted' };
}

const latestGrants = (
	tx: Transaction,
	{ consentRecord: t }: Tables,
	{ userId }: ConsentChange,
	{ grants, since }: GrantLimit
): Work<{ at: Date }[]> =>
	rowsOf(
		tx
			.select({ at: t.at })
			.from(t)
			.where(and(eq(t.userId, userId), eq(t.action, 'granted'), gt(t.at, since)))
			.orderBy(desc(t.at))
			.limit(grants)
	);

function* withdraw(
	tx: Transaction,
	tables: Tables,
	change: ConsentChange,
	givenBy?: Date
): Work<boolean> {
	const { user, userData } = tables;
	const { userId } = change;
	const account = yield* lockAccount(tx, tables, eq(user.id, userId));
	if (account === undefined) return false;
	const { marketingOptInAt: givenAt } = userData;
	const isMeant = givenBy && or(isNull(givenAt), lte(givenAt, givenBy));
	const [withdrawn] = yield* rowsOf(
		tx
			.update(userData)
			.set({ marketingOptIn: false, marketingOptInAt: null })
			.where(and(eq(userData.userId, userId), eq(userData.marketingOptIn, true), isMeant))
			.returning({ userId: userData.userId })
	);
	if (withdrawn === undefined) return true;
	yield* addConsentRecord(tx, tables, change, 'withdrawn', account.email);
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
