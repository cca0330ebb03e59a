import type { Email } from '../email.ts';
import type { ChallengeId, SessionId, UserId } from '../ids.ts';
import type { User, UserData } from '../user.ts';

export interface FoundAccount {
	readonly user: User;
	/** When it was deleted; null for one that lives. */
	readonly deletedAt: Date | null;
}

/** What a person may change of their account without proof; absent fields stay. */
export interface ProfileChange {
	readonly name?: string;
	readonly image?: string | null;
}

/** The accounts. */
export interface Accounts {
	/** The account of an address, also one in its grace period; null when there is none. */
	find(email: Email): Promise<FoundAccount | null>;

	/**
	 * Consumes a challenge that proved an address, and returns the living account of that address.
	 * Null, of any number at once for all but one, when the challenge is gone; null too, with the
	 * challenge consumed, when the address has no living account.
	 */
	confirmEmail(challengeId: ChallengeId): Promise<User | null>;

	/** Changes a living account and its `updatedAt`; null when it is gone or deleted. */
	update(id: UserId, change: ProfileChange, now: Date): Promise<User | null>;

	/** What is kept beside an account; null when nothing is. */
	dataOf(id: UserId): Promise<UserData | null>;

	/**
	 * Marks a living account as deleted at `now`, ends its sessions with all that they requested, and
	 * voids the codes of its address and leaves to restore: all of it or nothing.
	 * Which sessions ended; null when it was gone or deleted already.
	 */
	delete(id: UserId, now: Date): Promise<readonly SessionId[] | null>;

	/**
	 * Removes at most `limit` accounts that were deleted before or at `deletedBefore`, each with
	 * everything that belongs to it: data, sessions, purchases, codes, and what is counted about its
	 * address. Sends after `deletedBefore` still count, because other addresses of the same mailbox share
	 * them; `Throttle.prune` removes them. Returns how many. Never one that lives or was restored. An
	 * account whose code is being entered at this very moment may stay for the next time.
	 */
	purge(deletedBefore: Date, limit: number): Promise<number>;
}
