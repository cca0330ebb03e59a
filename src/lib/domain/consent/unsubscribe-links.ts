import type { UserId } from '../ids.ts';
import type { SecretHash } from '../secret.ts';

/** The account that a link belongs to. */
export interface UnsubscribeLink {
	readonly userId: UserId;
	/** Whether the account agrees to marketing at the moment. */
	readonly isSubscribed: boolean;
}

/** The unsubscribe links that were made. The store has hashes of their tokens only. */
export interface UnsubscribeLinks {
	/**
	 * Keeps a link of an account, at `now`. Repeating it changes nothing. Returns false when there is
	 * no such account.
	 */
	keep(hash: SecretHash, userId: UserId, now: Date): Promise<boolean>;

	/**
	 * Finds a link that was kept, also when its account is deleted and in its grace period. Null when
	 * it was never kept, or when the account was purged.
	 */
	find(hash: SecretHash): Promise<UnsubscribeLink | null>;
}
