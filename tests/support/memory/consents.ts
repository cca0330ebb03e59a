import type { Account, NewAccount } from '#lib/domain/account/ports.ts';
import { StoreUnavailable } from '#lib/domain/errors.ts';
import type {
	ConsentChange,
	ConsentRecord,
	Consents,
	UnsubscribeLinks
} from '#lib/domain/consent/ports.ts';
import { recordEvent } from './events.ts';
import {
	change,
	copy,
	insert,
	latestFirst,
	removeSome,
	rowsOf,
	type MemoryTables
} from './tables.ts';

export const memoryConsents = (tables: MemoryTables): Consents => {
	const { users, userData, consentRecords } = tables;
	const recordsOf = (userId: string): readonly ConsentRecord[] =>
		rowsOf(consentRecords, (row) => row.userId === userId).sort(latestFirst(({ at }) => at));
	const store = (decision: ConsentChange, action: ConsentRecord['action'], user: Account): void => {
		const given = action === 'granted';
		const { userId, at } = decision;
		addConsentRecord(tables, decision, action, user.email);
		const data = { marketingOptIn: given, marketingOptInAt: given ? at : null };
		userData.set(userId, copy({ isTrialEligible: true, ...userData.get(userId), userId, ...data }));
	};

	return {
		of: async (userId) => copy(userData.get(userId) ?? null),

		grantMarketing: async (decision, { grants, since }) => {
			const user = users.get(decision.userId);
			if (user === undefined || user.deletedAt !== null) return { kind: 'no_account' };
			if (userData.get(user.id)?.marketingOptIn === true) return { kind: 'unchanged' };
			const counted = recordsOf(user.id)
				.filter(({ action, at }) => action === 'granted' && at > since)
				.slice(0, grants);
			const oldest = counted.length === grants ? counted.at(-1) : undefined;
			if (oldest !== undefined) return { kind: 'too_many', oldest: copy(oldest.at) };
			store(decision, 'granted', user);
			return { kind: 'granted' };
		},

		withdrawMarketing: async (decision, givenBy) => {
			const user = users.get(decision.userId);
			if (user === undefined) return false;
			const data = userData.get(user.id);
			const givenAt = data?.marketingOptInAt ?? null;
			if (givenBy !== undefined && givenAt !== null && givenAt > givenBy) return true;
			if (data?.marketingOptIn === true) store(decision, 'withdrawn', user);
			return true;
		},

		historyOf: async (userId, limit) => copy(recordsOf(userId).slice(0, limit))
	};
};

/** Adds a record. Records are never changed, except by the purge of their account. */
const addConsentRecord = (
	tables: MemoryTables,
	{ id, userId, at, occasion }: ConsentChange,
	action: ConsentRecord['action'],
	email: Account['email']
): void => {
	const record = { id, userId, purpose: 'marketing', action, at, email, ...occasion } as const;
	insert(tables.consentRecords, id, record);
	recordEvent(tables, action === 'granted' ? 'consent_granted' : 'consent_withdrawn', userId);
};

/** Stores the data of a new account, and the consent that was given at sign-up. */
export const addUserData = (
	tables: MemoryTables,
	{ user, userData, consent }: NewAccount,
	email: Account['email']
): void => {
	if (userData.userId !== user.id) throw new StoreUnavailable('FOREIGN_KEY');
	tables.userData.set(user.id, copy(userData));
	if (consent) addConsentRecord(tables, consent, 'granted', email);
};

/** Blanks the records, which stay, and removes the data and the links. */
export const forgetUserData = (
	{ userData, consentRecords, unsubscribeLinks }: MemoryTables,
	userId: string
): void => {
	userData.delete(userId);
	change(consentRecords, (row) => row.userId === userId, { userId: null, email: null });
	removeSome(unsubscribeLinks, (link) => link.userId === userId);
};

export const memoryUnsubscribeLinks = ({
	users,
	userData,
	unsubscribeLinks
}: MemoryTables): UnsubscribeLinks => ({
	add: async (hash, userId, now) => {
		if (!users.has(userId)) return false;
		if (!unsubscribeLinks.has(hash)) unsubscribeLinks.set(hash, copy({ userId, createdAt: now }));
		return true;
	},

	find: async (hash) => {
		const link = unsubscribeLinks.get(hash);
		if (link === undefined) return null;
		const { userId } = link;
		return { userId, isSubscribed: userData.get(userId)?.marketingOptIn ?? false };
	}
});
