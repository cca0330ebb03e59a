import type { Consents } from './consent/consents.ts';
import type { UnsubscribeLinks } from './consent/unsubscribe-links.ts';
import { consent } from './consent/use-cases.ts';
import { newConsent, newUserData, type ReadUserData } from './consent/user-data.ts';
import { makeWithdrawByComplaint } from './consent/withdraw-consent.ts';
import type { Purchases } from './purchases/purchases.ts';
import { purchases } from './purchases/use-cases.ts';

// The parts that an application can leave out. The rest of the domain knows them only by this file.

export type * from './consent/consent-record.ts';
export type * from './consent/consents.ts';
export type * from './consent/unsubscribe-links.ts';
export type * from './consent/user-data.ts';
export type * from './purchases/purchases.ts';
export * from './purchases/purchase.ts';

/** The makers of their use-cases. */
export const partUseCases = {
	...consent,
	...purchases
};

/** The makers of what they do when a recipient reports an email as spam. */
export const complaintSteps = {
	withdrawConsent: makeWithdrawByComplaint
};

/** Their repositories. */
export interface PartStores {
	readonly consents: Consents;
	readonly unsubscribeLinks: UnsubscribeLinks;
	readonly purchases: Purchases;
}

/** What they add to the stored accounts. */
export interface PartsOfAccounts {
	readonly dataOf: ReadUserData;
}

/** What they store together with a new account. */
export const newAccountParts = {
	userData: newUserData,
	consent: newConsent
};
