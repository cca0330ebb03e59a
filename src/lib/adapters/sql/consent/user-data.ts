import { eq, inArray, sql } from 'drizzle-orm';
import type { Accounts, NewAccount } from '#lib/domain/account/ports.ts';
import type { Email } from '#lib/domain/email.ts';
import type { UserId } from '#lib/domain/ids.ts';
import type { Sql, Tables, Transaction, Work } from '../sql.ts';
import { addConsentRecord } from './add-consent-record.ts';

export const sqlUserData = ({ db, tables, run }: Sql): Accounts['dataOf'] => {
	const { userData } = tables;
	const dataOf = db
		.select()
		.from(userData)
		.where(eq(userData.userId, sql.placeholder('id')))
		.prepare('account_data_of');
	return async (id) => {
		const [row] = await run(() => dataOf.execute({ id }));
		return row ?? null;
	};
};

/** Stores the data of a new account, and the consent that was given at sign-up. */
export function* addUserData(
	{ tables }: Sql,
	tx: Transaction,
	{ userData, consent }: NewAccount,
	email: Email
): Work<void> {
	// Not prepared: drizzle cannot encode null for a date placeholder.
	const t = tables.userData;
	yield tx.insert(t).values(userData).returning({ userId: t.userId });
	if (consent !== null) yield* addConsentRecord(tx, tables, consent, 'granted', email);
}

/** The records stay as proof that consents were recorded and honoured, but name no person. */
export function* blankConsentRecords(
	tx: Transaction,
	{ consentRecord }: Tables,
	purged: readonly UserId[]
): Work<void> {
	yield tx
		.update(consentRecord)
		.set({ userId: null, email: null })
		.where(inArray(consentRecord.userId, [...purged]))
		.returning({ id: consentRecord.id });
}
