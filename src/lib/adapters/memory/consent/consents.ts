import type { Consents } from '#lib/domain/consent/consents.ts';
import { copy, type MemoryTables } from '../tables.ts';

export const memoryConsents = ({ users, userData }: MemoryTables): Consents => ({
	grantMarketing: async (userId, now) => {
		const user = users.get(userId);
		if (user === undefined || user.deletedAt !== null) return false;
		const kept = userData.get(userId);
		const first = kept?.marketingOptIn === true ? kept.marketingOptInAt : null;
		const agreed = { marketingOptIn: true, marketingOptInAt: first ?? now };
		userData.set(userId, copy({ isTrialEligible: true, ...kept, userId, ...agreed }));
		return true;
	}
});
