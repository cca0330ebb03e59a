import type { Challenge } from '#lib/domain/sign-in/challenge.ts';
import type { Challenges } from '#lib/domain/sign-in/challenges.ts';
import { addEmails, checkEmails } from '../delivery/outbox-rows.ts';
import { constrain, copy, firstOf, removeSome, type MemoryTables } from '../tables.ts';

/** No method awaits between reading and writing, so every method is atomic. */
export const memoryChallenges = (tables: MemoryTables): Challenges => {
	const { challenges } = tables;
	return {
		issue: async (challenge, now, emails = []) => {
			const { id, purpose, email, boundTo, createdAt } = challenge;
			const earlier = firstOf(
				challenges,
				(row) => row.purpose === purpose && row.email === email && row.boundTo === boundTo
			);
			if (earlier && earlier.createdAt > createdAt && earlier.createdAt <= now) return;
			constrain(!challenges.has(id) || earlier?.id === id, 'PRIMARY_KEY');
			checkEmails(tables, emails);
			if (earlier !== undefined) challenges.delete(earlier.id);
			challenges.set(id, copy(challenge));
			addEmails(tables, emails);
		},

		countAttempt: async ({ purpose, email, boundTo }, now, policy) => {
			const isLive = (row: Challenge): boolean =>
				row.attempts < policy.code.attempts && row.expiresAt > now;
			const rank = (row: Challenge): number =>
				(isLive(row) ? 0 : 2) + (row.boundTo === null ? 1 : 0);
			const [meant] = [...challenges.values()]
				.filter((row) => row.purpose === purpose && row.email === email)
				.filter((row) => row.boundTo === null || row.boundTo === boundTo)
				.sort((a, b) => rank(a) - rank(b));
			if (meant === undefined || meant.attempts > policy.code.attempts) return null;
			const counted = { ...meant, attempts: meant.attempts + 1 };
			challenges.set(meant.id, counted);
			return copy(counted);
		},

		markBounced: async (id, now) => {
			const challenge = challenges.get(id);
			if (challenge !== undefined) challenges.set(id, copy({ ...challenge, bouncedAt: now }));
		},

		latestOf: async (boundTo, purpose) => {
			const [latest] = [...challenges.values()]
				.filter((row) => row.boundTo === boundTo && row.purpose === purpose)
				.sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1));
			return latest === undefined ? null : copy(latest);
		},

		prune: async (now, limit) => removeSome(challenges, (row) => row.expiresAt <= now, limit)
	};
};
