import type { Email } from '#lib/domain/email.ts';
import type { SessionId, UserId } from '#lib/domain/ids.ts';
import type { EmailChanges } from '#lib/domain/email-change/email-changes.ts';
import { changedUser } from '#lib/domain/sessions/invalidation.ts';
import { addEmails, checkEmails } from '../delivery/outbox-rows.ts';
import { toUser } from '../rows.ts';
import { constrain, copy, firstOf, type MemoryTables, type UserRow } from '../tables.ts';
import { endSessions, revokeChanges, revokeCodes } from '../sessions/revocation.ts';
import { addRight, endRights, rightOf } from './undo-rights.ts';

export const memoryEmailChanges = (tables: MemoryTables): EmailChanges => {
	const { users, sessions, challenges } = tables;
	const isLive = (id: SessionId | null, userId: UserId, now: Date): boolean => {
		const row = id === null ? undefined : sessions.get(id);
		return row?.userId === userId && row.expiresAt > now;
	};
	/** The account, if it is active and has the address that it is to leave. */
	const activeAt = (userId: UserId, from: Email): UserRow | undefined =>
		firstOf(users, (row) => row.id === userId && row.email === from && row.deletedAt === null);

	return {
		request: async (challenge, { userId, from }, now, emails = []) => {
			const { id, purpose, boundTo, requestedBy, createdAt } = challenge;
			if (activeAt(userId, from) === undefined || !isLive(requestedBy, userId, now)) return;
			const earlier = [...challenges.values()].filter(
				(row) => row.boundTo === boundTo && row.purpose === purpose
			);
			const replaceable = earlier.filter(
				(row) => row.createdAt <= createdAt || row.createdAt > now
			);
			if (replaceable.length === earlier.length) {
				constrain(!challenges.has(id) || replaceable.some((row) => row.id === id), 'PRIMARY_KEY');
				checkEmails(tables, emails);
			}
			for (const row of replaceable) challenges.delete(row.id);
			if (replaceable.length < earlier.length) return;
			challenges.set(id, copy(challenge));
			addEmails(tables, emails);
		},

		pendingOf: async (userId, purposes, now) => {
			const [latest] = [...challenges.values()]
				.filter((row) => row.boundTo === userId && purposes.some((one) => one === row.purpose))
				.filter((row) => row.expiresAt > now && isLive(row.requestedBy, userId, now))
				.sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1));
			return latest === undefined ? null : copy(latest);
		},

		cancel: async (userId) => revokeChanges(tables, userId),

		complete: async ({ challengeId, userId, from, to, keep, emails, undo }, now) => {
			const account = activeAt(userId, from);
			const challenge = challenges.get(challengeId);
			if (account === undefined || challenge?.boundTo !== userId || challenge.email !== to) {
				return null;
			}
			if (!isLive(keep, userId, now) || !isLive(challenge.requestedBy, userId, now)) return null;
			if (firstOf(users, (row) => row.email === to && row.id !== userId)) return 'email_taken';
			const right = rightOf(tables, to, now);
			if (right !== null && right.userId !== userId) return 'email_taken';
			const notices = right === null ? undo.emails : emails;
			checkEmails(tables, notices);

			addEmails(tables, notices);
			if (right === null) addRight(tables, userId, { from, to }, undo, now);
			else endRights(tables, right);
			challenges.delete(challengeId);
			const moved = copy({ ...account, email: to, updatedAt: now });
			users.set(userId, moved);
			revokeCodes(tables, from);
			return { user: changedUser(toUser(moved)), ended: endSessions(tables, userId, keep) };
		}
	};
};
