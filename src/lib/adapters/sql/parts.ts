import type { PartsOfAccounts, PartStores } from '#lib/domain/parts.ts';
import type { AccountCreatedStep, AccountsPurgedStep } from './account-steps.ts';
import { sqlConsents } from './consent/consents.ts';
import { sqlUnsubscribeLinks } from './consent/unsubscribe-links.ts';
import { addUserData, blankConsentRecords, sqlUserData } from './consent/user-data.ts';
import { adoptPurchases } from './purchases/adopt-purchases.ts';
import { sqlPurchases } from './purchases/purchases.ts';
import type { Sql } from './sql.ts';

/*
 * The parts that an application can take out (docs/removing-parts.md). Their tables are in
 * `tables.ts`.
 */

export const partStores = (sql: Sql): PartStores => ({
	consents: sqlConsents(sql),
	unsubscribeLinks: sqlUnsubscribeLinks(sql),
	purchases: sqlPurchases(sql)
});

export const partsOfAccounts = (sql: Sql): PartsOfAccounts => ({
	dataOf: sqlUserData(sql)
});

/** In this order, after a new account was inserted. */
export const accountCreated: readonly AccountCreatedStep[] = Object.values({
	addUserData,
	adoptPurchases
});

/** In this order, before accounts are removed. */
export const accountsPurged: readonly AccountsPurgedStep[] = Object.values({
	blankConsentRecords
});
