import type { ReadUserData } from '#lib/domain/consent/user-data.ts';
import type { AccountCreatedStep, AccountPurgedStep } from '../account-steps.ts';
import { constrain, copy, type MemoryTables } from '../tables.ts';
import { addConsentRecord } from './consents.ts';

export const memoryUserData =
	({ userData }: MemoryTables): ReadUserData =>
	async (id) =>
		copy(userData.get(id) ?? null);

/** Stores the data of a new account, and the consent that was given at sign-up. */
export const addUserData: AccountCreatedStep = {
	check: ({ consentRecords }, { user, userData, consent }) => {
		constrain(userData.userId === user.id, 'FOREIGN_KEY');
		constrain(consent === null || !consentRecords.has(consent.id), 'PRIMARY_KEY');
	},
	store: (tables, { user, userData, consent, email }) => {
		tables.userData.set(user.id, copy(userData));
		if (consent) addConsentRecord(tables, consent, 'granted', email);
	}
};

/** Blanks the records, which stay, and removes the data and the links. */
export const forgetUserData: AccountPurgedStep = (tables, userId) => {
	const { userData, consentRecords, unsubscribeLinks } = tables;
	userData.delete(userId);
	for (const record of [...consentRecords.values()].filter((row) => row.userId === userId)) {
		consentRecords.set(record.id, { ...record, userId: null, email: null });
	}
	for (const [hash, link] of unsubscribeLinks) {
		if (link.userId === userId) unsubscribeLinks.delete(hash);
	}
};
