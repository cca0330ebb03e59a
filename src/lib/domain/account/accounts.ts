import type { OutboxRow } from '../delivery/outbox-rows.ts';
import type { Email } from '../email.ts';
import type { ChallengeId, SessionId, UserId } from '../ids.ts';
import type { Name } from './name.ts';
import type { UserData } from '../consent/user-data.ts';
import type { User } from './user.ts';

export interface FoundAccount {
	readonly user: User;
	/** When the account was deleted. Null for an active account. */
	readonly deletedAt: Date | null;
}

/**
 * The profile fields that a user can change without further proof. An absent field keeps its
 * value.
 */
export interface ProfileChange {
	readonly name?: Name;
	readonly image?: string | null;
}

/** The stored accounts. An account is active until it is deleted. */
export interface Accounts {
	/**
	 * Finds the account of an email address, also during its grace period. Null when there is none.
	 */
	find(email: Email): Promise<FoundAccount | null>;

	/** The data stored beside an account. Null when there is none. */
	dataOf(id: UserId): Promise<UserData | null>;

	/**
	 * Consumes a challenge that proved an email address. Returns the active account of that
	 * address.
	 *
	 * Returns null when the challenge is gone: of any number of concurrent calls, only one finds
	 * it. Also returns null, with the challenge consumed, when the address has no active account.
	 */
	confirmEmail(challengeId: ChallengeId): Promise<User | null>;

	/**
	 * Changes an active account and its `updatedAt`. Returns null when the account is gone or
	 * deleted.
	 */
	update(id: UserId, change: ProfileChange, now: Date): Promise<User | null>;

	/**
	 * Stores the first answer to the question for a name, which may be the empty name. Changes
	 * nothing if `mayAskForName` is false for the stored account. Of concurrent answers, one is
	 * stored. Returns the account as it is then, or null when it is gone or deleted.
	 */
	answerName(id: UserId, name: Name, now: Date): Promise<User | null>;

	/**
	 * Marks an active account as deleted at `now` and ends its sessions with everything that they
	 * requested. It also revokes the codes of its email address and its restore grants, forgets
	 * its devices, and adds the emails to the outbox. All of this
	 * happens or nothing. Returns the ended sessions, or null when the account was gone or already
	 * deleted.
	 */
	delete(
		id: UserId,
		now: Date,
		emails?: readonly OutboxRow[]
	): Promise<readonly SessionId[] | null>;

	/**
	 * Removes at most `limit` accounts that were deleted at or before `deletedBefore`. Each goes
	 * with everything that belongs to it: data, sessions, devices, purchases, codes, unsubscribe links,
	 * and the throttle counts of its email address. Sends after `deletedBefore` still count, because other addresses of the
	 * same mailbox share them; `Throttle.prune` removes them. Records of consents stay, without their
	 * account and email address. Returns the removed accounts.
	 * Never removes an account that is active or was restored. An account whose code is being entered
	 * at the same moment may stay until the next purge.
	 */
	purge(deletedBefore: Date, limit: number): Promise<readonly UserId[]>;
}
