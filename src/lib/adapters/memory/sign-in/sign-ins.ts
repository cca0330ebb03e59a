import type { Challenge } from '#lib/domain/sign-in/challenge.ts';
import type { UserId } from '#lib/domain/ids.ts';
import { noticesOf } from '#lib/domain/limits/budget.ts';
import type { Redemption, SignIns } from '#lib/domain/sign-in/sign-ins.ts';
import { addEmails, checkEmails } from '../delivery/outbox-rows.ts';
import { rightOf } from '../email-change/undo-rights.ts';
import { placeDevice } from '../devices/place-device.ts';
import { addCount, countOf } from '../limits/counts.ts';
import { accountCreated } from '../parts.ts';
import { toSession, toUser } from '../rows.ts';
import {
	constrain,
	copy,
	firstOf,
	type MemoryTables,
	type SessionRow,
	type UserRow
} from '../tables.ts';
import { endSession } from '../sessions/revocation.ts';
import { lastUsedFirst } from '../sessions/sessions.ts';

export const memorySignIns = (tables: MemoryTables): SignIns => {
	const { users, sessions, challenges, throttle } = tables;

	/** A right code that has no effect costs no attempt. */
	const giveGuessBack = (challenge: Challenge): void => {
		const attempts = Math.max(0, challenge.attempts - 1);
		challenges.set(challenge.id, { ...challenge, attempts });
	};

	/** Handles a right code for an account that stays deleted. */
	const keepDeleted = (
		challenge: Challenge,
		ifDeleted: Exclude<Redemption['ifDeleted'], { then: 'restore' }>
	): void => {
		if (ifDeleted.then === 'refuse') {
			giveGuessBack(challenge);
			return;
		}
		const { grant } = ifDeleted;
		const isReplaced = (row: Challenge): boolean =>
			row.id === challenge.id || (row.purpose === grant.purpose && row.email === grant.email);
		const sameId = challenges.get(grant.id);
		constrain(sameId === undefined || isReplaced(sameId), 'PRIMARY_KEY');
		for (const row of [...challenges.values()]) if (isReplaced(row)) challenges.delete(row.id);
		challenges.set(grant.id, copy(grant));
	};

	/** Counts a notice about a device without a key, unless one was counted on the same day. */
	const isFirstToday = (userId: UserId, now: Date): boolean => {
		const key = noticesOf(userId, now);
		if (countOf(tables, key) > 0) return false;
		addCount(tables, key, 1);
		return true;
	};

	return {
		redeem: async ({ challengeId, email, account, session, replaces, device, ...rules }) => {
			const { ifDeleted, newDeviceEmails } = rules;
			const challenge = challenges.get(challengeId);
			if (challenge?.email !== email) return null;
			const existing = firstOf(users, (row) => row.email === email);
			const created = existing === undefined && account !== null ? { ...account, email } : null;
			const row: UserRow | null =
				existing ?? (account && { ...account.user, email, deletedAt: null });
			const right = existing === undefined ? rightOf(tables, email, session.createdAt) : null;
			if (right !== null) {
				giveGuessBack(challenge);
				return { kind: 'reserved', undo: right.id, until: copy(right.expiresAt) };
			}
			if (row === null) {
				challenges.delete(challengeId);
				return null;
			}
			if (row.deletedAt !== null && ifDeleted.then !== 'restore') {
				keepDeleted(challenge, ifDeleted);
				return { kind: 'deleted', deletedAt: copy(row.deletedAt) };
			}
			const replaced = firstOf(sessions, (row) => replaces.includes(row.tokenHash));
			const stays = (row: SessionRow | undefined): boolean =>
				row !== undefined && row.id !== replaced?.id;

			// Everything that can be refused is checked before anything is written.
			if (created) {
				constrain(!users.has(row.id), 'PRIMARY_KEY');
				for (const step of accountCreated) step.check(tables, created);
				checkEmails(tables, created.emails);
			}
			checkEmails(tables, newDeviceEmails);
			constrain(!stays(sessions.get(session.id)), 'PRIMARY_KEY');
			constrain(!stays(firstOf(sessions, (row) => row.tokenHash === session.tokenHash)), 'UNIQUE');

			challenges.delete(challengeId);
			for (const other of challenge.boundTo === null ? [] : [...challenges.values()]) {
				const { boundTo, purpose } = other;
				if (boundTo === challenge.boundTo && purpose === challenge.purpose) {
					challenges.delete(other.id);
				}
			}
			const user = copy(
				row.deletedAt === null ? row : { ...row, deletedAt: null, updatedAt: session.createdAt }
			);
			users.set(user.id, user);
			if (created) {
				for (const step of accountCreated) step.store(tables, created);
				addEmails(tables, created.emails);
			}
			const stay = rules.sessionsPerAccount - 1;
			const unused = lastUsedFirst(tables, user.id, (row) => row !== replaced).slice(stay);
			const ending = replaced === undefined ? unused : [replaced, ...unused];
			const ended = ending.map(({ id }) => endSession(tables, id));
			const now = session.createdAt;
			const wasLive = replaced?.userId === user.id && replaced.expiresAt > now;
			const linked = wasLive ? replaced.deviceId : null;
			const placed = device && placeDevice(tables, user.id, device, linked);
			const opened = copy({
				...session,
				userId: user.id,
				updatedAt: session.createdAt,
				deviceId: placed && placed.id
			});
			sessions.set(opened.id, opened);
			const counted = throttle.get(email);
			if (counted) throttle.set(email, { ...counted, failures: 0, failedAt: null });

			const isNew = newDeviceEmails.length > 0 && !created && placed?.wasKnown !== true;
			const isReported = isNew && (placed !== null || isFirstToday(user.id, now));
			if (isReported) addEmails(tables, newDeviceEmails);
			return {
				kind: 'signed_in',
				user: toUser(user),
				session: toSession(opened),
				created: existing === undefined,
				ended,
				isReported
			};
		}
	};
};
