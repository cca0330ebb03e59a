import type { SignIns } from '#lib/domain/ports/sign-ins.ts';
import { toSession } from './sessions.ts';
import { constrain, copy, firstOf, type MemoryTables, type SessionRow } from './tables.ts';

export const memorySignIns = (tables: MemoryTables): SignIns => {
	const { users, userData, sessions, challenges, throttle } = tables;
	return {
		redeem: async ({ challengeId, account, session, replaces }) => {
			const challenge = challenges.get(challengeId);
			if (challenge === undefined) return null;
			const existing = firstOf(users, (row) => row.email === account.user.email);
			const user = existing ?? account.user;
			const replaced = firstOf(sessions, (row) => replaces.includes(row.tokenHash));
			const stays = (row: SessionRow | undefined): boolean =>
				row !== undefined && row.id !== replaced?.id;

			// Everything that could be refused comes before anything that is written.
			if (existing === undefined) {
				constrain(!users.has(user.id), 'PRIMARY_KEY');
				constrain(account.userData.userId === user.id, 'FOREIGN_KEY');
			}
			constrain(!stays(sessions.get(session.id)), 'PRIMARY_KEY');
			constrain(!stays(firstOf(sessions, (row) => row.tokenHash === session.tokenHash)), 'UNIQUE');

			challenges.delete(challengeId);
			for (const other of challenge.boundTo === null ? [] : [...challenges.values()]) {
				if (other.boundTo === challenge.boundTo) challenges.delete(other.id);
			}
			if (existing === undefined) {
				users.set(user.id, copy(user));
				userData.set(user.id, copy(account.userData));
			}
			if (replaced !== undefined) sessions.delete(replaced.id);
			const opened = copy({ ...session, userId: user.id, updatedAt: session.createdAt });
			sessions.set(opened.id, opened);
			const counted = throttle.get(user.email);
			if (counted) throttle.set(user.email, { ...counted, failures: 0, failedAt: null });

			return {
				user: copy(user),
				session: toSession(opened),
				created: existing === undefined,
				replaced: replaced?.id ?? null
			};
		}
	};
};
