import type { Account } from '#lib/domain/account/ports.ts';
import { StoreUnavailable } from '#lib/domain/errors.ts';
import type { ChallengeId, UserId } from '#lib/domain/ids.ts';
import { deviceNoticesOf } from '#lib/domain/limits/counts.ts';
import type {
	Challenge,
	Challenges,
	Redemption,
	RedeemResult,
	SignIns
} from '#lib/domain/sign-in/ports.ts';
import { continuedDevice, decideRedemption } from '#lib/domain/sign-in/redemption.ts';
import { addUserData } from './consents.ts';
import { recordEnded, recordEvent } from './events.ts';
import { undoRightOf } from './email-changes.ts';
import { addCount, countOf } from './limits.ts';
import { addMails } from './outbox.ts';
import { linkPurchases } from './purchases.ts';
import { endSession, lastUsedFirst, placeDevice } from './sessions.ts';
import {
	atomic,
	change,
	copy,
	firstOf,
	insert,
	latestOf,
	pruneExpired,
	removeSome,
	rowsOf,
	toSession,
	toUser,
	type MemoryTables,
	type SessionRow
} from './tables.ts';

/** A right code that has no effect costs no attempt. */
const giveBack = ({ challenges }: MemoryTables, challenge: Challenge): void => {
	const attemptsUsed = Math.max(0, challenge.attemptsUsed - 1);
	challenges.set(challenge.id, { ...challenge, attemptsUsed });
};

/** Gives the attempt back if the account is blocked and not deleted. Returns whether it is. */
export const giveBackIfBlocked = (tables: MemoryTables, id: ChallengeId): boolean => {
	const challenge = tables.challenges.get(id);
	const row = challenge && firstOf(tables.users, ({ email }) => email === challenge.email);
	if (!challenge || !row?.blockedAt || row.deletedAt !== null) return false;
	giveBack(tables, challenge);
	return true;
};

export const memorySignIns = (tables: MemoryTables): SignIns => {
	const { users, sessions, challenges, throttle } = tables;

	const storeGrant = (grant: Challenge): void => {
		removeSome(challenges, (row) => row.purpose === grant.purpose && row.email === grant.email);
		insert(challenges, grant.id, grant);
	};

	/** Counts a notice about a device without a key, unless one was counted on the same day. */
	const isFirstToday = (userId: UserId, now: Date): boolean => {
		const key = deviceNoticesOf(userId, now);
		if (countOf(tables, key) > 0) return false;
		addCount(tables, key, 1);
		return true;
	};

	const redeem = (redemption: Redemption): RedeemResult => {
		const { challengeId, email, account, session, replaces, device, ...rules } = redemption;
		const { ifDeleted, newDeviceMails } = rules;
		const challenge = challenges.get(challengeId);
		if (challenge?.email !== email) return null;
		const existing = firstOf(users, (row) => row.email === email);
		const created = existing === undefined && account !== null ? { ...account, email } : null;
		const found: Account | null =
			existing ??
			(account && { ...account.user, email, deletedAt: null, blockedAt: null, role: null });
		const now = session.createdAt;
		const right = existing === undefined ? undoRightOf(tables, email, now) : null;
		const reserved =
			right && ({ kind: 'reserved', undo: right.id, until: right.expiresAt } as const);
		const decided = decideRedemption(challenge, reserved ?? found, ifDeleted);
		const row = decided.signsInTo;
		if (row === null) {
			if (decided.grant !== null) storeGrant(decided.grant);
			if (decided.givesAttemptBack) giveBack(tables, challenge);
			else challenges.delete(challengeId);
			return copy(decided.result);
		}
		const replaced = firstOf(sessions, (row) => replaces.includes(row.tokenHash));
		challenges.delete(challengeId);
		if (challenge.boundTo !== null) {
			const { boundTo, purpose } = challenge;
			removeSome(challenges, (row) => row.boundTo === boundTo && row.purpose === purpose);
		}
		const user = copy(row.deletedAt === null ? row : { ...row, deletedAt: null, updatedAt: now });
		if (created) {
			insert(users, user.id, user);
			recordEvent(tables, 'signed_up', user.id);
			addUserData(tables, created, email);
			linkPurchases(tables, user);
			addMails(tables, created.mails);
		} else users.set(user.id, user);
		const keys = device?.kind === 'browser' ? device.presentedHashes : [];
		const known = rowsOf(tables.devices, (one) => keys.includes(one.keyHash));
		const isHere = ({ userId, deviceId }: SessionRow): boolean =>
			userId === user.id && known.some((one) => one.id === deviceId && one.userId === userId);
		const here = rowsOf(sessions, (row) => row === replaced || isHere(row));
		const stay = rules.sessionsPerAccount - 1;
		const unused = lastUsedFirst(tables, user.id, (row) => !here.includes(row)).slice(stay);
		const ending = [...here, ...unused];
		const ended = ending.map(({ id }) => endSession(tables, id));
		const sessionDevice = continuedDevice(replaced, user.id, now);
		const shown = device?.kind === 'browser' ? email : null;
		const placed = device && placeDevice(tables, user.id, device, sessionDevice, shown);
		const deviceId = placed && placed.id;
		const opened = { ...session, userId: user.id, updatedAt: now, deviceId };
		const isTaken = firstOf(sessions, (row) => row.tokenHash === session.tokenHash);
		if (isTaken) throw new StoreUnavailable('UNIQUE');
		insert(sessions, opened.id, opened);
		change(throttle, ({ key }) => key === email, { wrongCodes: 0, wrongCodeAt: null });

		if (row.deletedAt !== null) recordEvent(tables, 'restored', user.id);
		if (!created) recordEvent(tables, 'signed_in', user.id);
		if (replaced && replaced.userId !== user.id) recordEnded(tables, replaced.userId, 1);
		recordEnded(tables, user.id, ending.filter((row) => row !== replaced).length);
		const isNew = newDeviceMails.length > 0 && !created && placed?.wasKnown !== true;
		const isReported = isNew && (placed !== null || isFirstToday(user.id, now));
		if (isReported) addMails(tables, newDeviceMails);
		return {
			kind: 'signed_in',
			user: toUser(user),
			session: toSession(opened),
			created: existing === undefined,
			ended,
			isReported
		};
	};
	return { redeem: async (redemption) => atomic(tables, () => redeem(redemption)) };
};

/** No method awaits between reading and writing, so every method is atomic. */
export const memoryChallenges = (tables: MemoryTables): Challenges => {
	const { challenges } = tables;
	return {
		issue: async (challenge, now, mails = []) => {
			const { id, purpose, email, boundTo, createdAt } = challenge;
			const earlier = firstOf(
				challenges,
				(row) => row.purpose === purpose && row.email === email && row.boundTo === boundTo
			);
			if (earlier && earlier.createdAt > createdAt && earlier.createdAt <= now) return;
			atomic(tables, () => {
				if (earlier !== undefined) challenges.delete(earlier.id);
				insert(challenges, id, challenge);
				addMails(tables, mails);
			});
		},

		countAttempt: async ({ purpose, email, boundTo }, now, policy) => {
			const isLive = (row: Challenge): boolean =>
				row.attemptsUsed < policy.code.attempts && row.expiresAt > now;
			const rank = (row: Challenge): number =>
				(isLive(row) ? 0 : 2) + (row.boundTo === null ? 1 : 0);
			const [meant] = rowsOf(challenges, (row) => row.purpose === purpose && row.email === email)
				.filter((row) => row.boundTo === null || row.boundTo === boundTo)
				.sort((a, b) => rank(a) - rank(b));
			if (meant === undefined || meant.attemptsUsed > policy.code.attempts) return null;
			const counted = { ...meant, attemptsUsed: meant.attemptsUsed + 1 };
			challenges.set(meant.id, counted);
			return copy(counted);
		},

		markBounced: async (id, now) =>
			void change(challenges, (row) => row.id === id, { bouncedAt: now }),

		giveBackIfBlocked: async (id) => giveBackIfBlocked(tables, id),

		latestOf: async (boundTo, purpose) =>
			latestOf(rowsOf(challenges, (row) => row.boundTo === boundTo && row.purpose === purpose)),

		prune: pruneExpired(challenges)
	};
};
