import type { UnsubscribeLinks } from '#lib/domain/consent/unsubscribe-links.ts';
import { copy, type MemoryTables } from '../tables.ts';

export const memoryUnsubscribeLinks = ({
	users,
	userData,
	unsubscribeLinks
}: MemoryTables): UnsubscribeLinks => ({
	keep: async (hash, userId, now) => {
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
