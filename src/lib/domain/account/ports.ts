import type { ConsentChange, ConsentChoice, UserData } from '../consent/ports.ts';
import type { Email } from '../email.ts';
import type { ChallengeId, SessionId, UserId } from '../ids.ts';
import type { OutboxRow } from '../outbox.ts';
import type { Name, Role, User } from '../user.ts';

/** What a user may enter at sign-up. It is used only when the account is created. */
export interface Profile extends ConsentChoice {
	readonly name: Name;
	readonly image: string | null;
}

/** Everything that is created with an account. It is written together or not at all. */
export interface NewAccount {
	readonly user: User;
	readonly userData: UserData;
	readonly consent: ConsentChange | null;
	readonly mails: readonly OutboxRow[];
}

/** A user, also a deleted or blocked one. */
export interface Account extends User {
	/** Null for an active account. */
	readonly deletedAt: Date | null;
	readonly blockedAt: Date | null;
	readonly role: Role | null;
}

/** Needs no code. An absent field keeps its value. */
export interface ProfileChange {
	readonly name?: Name;
	readonly image?: string | null;
}

/** The stored accounts. An account is active until it is deleted. */
export interface Accounts {
	/** Finds the account of an email address, also in its grace period. Null when there is none. */
	find(email: Email): Promise<Account | null>;

	/**
	 * Consumes a challenge that proved an email address. Returns the active account of that address.
	 * For a blocked one it returns `blocked`: the challenge stays, and its counted attempt is given
	 * back.
	 *
	 * Returns null when the challenge is gone: of any number of concurrent calls, only one finds
	 * it. Also returns null, with the challenge consumed, when the address has no active account.
	 */
	consumeChallenge(challengeId: ChallengeId): Promise<User | 'blocked' | null>;

	/** Changes an active account and its `updatedAt`. Null when the account is gone or deleted. */
	update(id: UserId, change: ProfileChange, now: Date): Promise<User | null>;

	/**
	 * Marks an active account as deleted at `now` and ends its sessions with everything that they
	 * requested. It also revokes the codes of its email address and its restore grants, forgets
	 * its devices, and adds the emails to the outbox. All of this happens or nothing. Returns the
	 * ended sessions, or null when the account was gone or already deleted.
	 */
	delete(id: UserId, now: Date, mails?: readonly OutboxRow[]): Promise<readonly SessionId[] | null>;

	/**
	 * Removes at most `limit` accounts that were deleted at or before `deletedBefore`, and returns
	 * them. Never removes an account that is active or was restored. An account whose code is
	 * being entered at the same moment may stay until the next purge.
	 *
	 * Removes with each: data, sessions, devices, purchases, codes, unsubscribe links, and the throttle
	 * counts of its email address. Sends after `deletedBefore` still count, because other addresses of
	 * the same mailbox share them; `Throttle.prune` removes them. Records of consents stay, without
	 * their account and email address.
	 */
	purge(deletedBefore: Date, limit: number): Promise<readonly UserId[]>;
}

/** The subscription of an account, as far as pages need it. */
export type Subscription =
	| { readonly status: 'none' }
	/** The lookup failed. */
	| { readonly status: 'unknown' }
	| { readonly status: 'active'; readonly plan: string; readonly renewsAt: Date | null };

/** Lets an application report its users' subscriptions. By default nobody has one. */
export interface Subscriptions {
	of(userId: UserId): Promise<Subscription>;
}

declare module '../deps.ts' {
	interface Stores {
		readonly accounts: Accounts;
	}
}
