import type { AccountCreatedStep, AccountPurgedStep } from './account-steps.ts';
import { memoryConsents } from './consent/consents.ts';
import { memoryUnsubscribeLinks } from './consent/unsubscribe-links.ts';
import { addUserData, forgetUserData, memoryUserData } from './consent/user-data.ts';
import { adoptPurchases, forgetPurchases } from './purchases/account-purchases.ts';
import { memoryPurchases } from './purchases/purchases.ts';

// The parts that an application can leave out. Their tables are in `tables.ts`.

/** The makers of their repositories. */
export const partStores = {
	consents: memoryConsents,
	unsubscribeLinks: memoryUnsubscribeLinks,
	purchases: memoryPurchases
};

/** The makers of what they add to the accounts. */
export const partsOfAccounts = {
	dataOf: memoryUserData
};

export const accountCreated: readonly AccountCreatedStep[] = [addUserData, adoptPurchases];

export const accountPurged: readonly AccountPurgedStep[] = [forgetUserData, forgetPurchases];
