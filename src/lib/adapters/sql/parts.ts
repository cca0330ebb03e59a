import type { AccountCreatedStep, AccountsPurgedStep } from './account-steps.ts';
import { sqlConsents } from './consent/consents.ts';
import { sqlUnsubscribeLinks } from './consent/unsubscribe-links.ts';
import { addUserData, blankConsentRecords, sqlUserData } from './consent/user-data.ts';
import { adoptPurchases } from './purchases/adopt-purchases.ts';
import { sqlPurchases } from './purchases/purchases.ts';

// The parts that an application can leave out. Their tables are in `tables.ts`.

/** The makers of their repositories. */
export const partStores = {
	consents: sqlConsents,
	unsubscribeLinks: sqlUnsubscribeLinks,
	purchases: sqlPurchases
};

/** The makers of what they add to the accounts. */
export const partsOfAccounts = {
	dataOf: sqlUserData
};

/** In this order, after a new account was inserted. */
export const accountCreated: readonly AccountCreatedStep[] = [addUserData, adoptPurchases];

/** In this order, before accounts are removed. */
export const accountsPurged: readonly AccountsPurgedStep[] = [blankConsentRecords];
