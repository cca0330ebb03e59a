import type { PartsOfAccounts, PartStores } from '#lib/domain/parts.ts';
import type { AccountCreatedStep, AccountPurgedStep } from './account-steps.ts';
import { memoryConsents } from './consent/consents.ts';
import { memoryUnsubscribeLinks } from './consent/unsubscribe-links.ts';
import { addUserData, forgetUserData, memoryUserData } from './consent/user-data.ts';
import { adoptPurchases, forgetPurchases } from './purchases/account-purchases.ts';
import { memoryPurchases } from './purchases/purchases.ts';
import type { MemoryTables } from './tables.ts';

/*
 * The parts that an application can take out (docs/removing-parts.md). Their tables are in
 * `tables.ts`.
 */

export const partStores = (tables: MemoryTables): PartStores => ({
	consents: memoryConsents(tables),
	unsubscribeLinks: memoryUnsubscribeLinks(tables),
	purchases: memoryPurchases(tables)
});

export const partsOfAccounts = (tables: MemoryTables): PartsOfAccounts => ({
	dataOf: memoryUserData(tables)
});

export const accountCreated: readonly AccountCreatedStep[] = Object.values({
	addUserData,
	adoptPurchases
});

export const accountPurged: readonly AccountPurgedStep[] = Object.values({
	forgetUserData,
	forgetPurchases
});
