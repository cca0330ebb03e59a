import type { UserId } from '../ids.ts';
import type { Purchase, PurchaseReference } from './purchase.ts';
import type { User } from '../account/user.ts';

/** What was bought, also by people who had no account then. The application's payment webhook records it. */
export interface Purchases {
	/**
	 * Keeps a purchase and, unless it names its account, links it to the living account of its
	 * address, where there is one; never left behind by an account that is created at the same time.
	 * One whose reference is known already changes nothing: webhooks come more than once.
	 */
	record(purchase: Purchase): Promise<void>;

	/** Null when there is none. */
	find(reference: PurchaseReference): Promise<Purchase | null>;

	/**
	 * Makes a purchase the account's, if it is nobody's yet and was made with the account's address.
	 * True as well when it is the account's already, wherever the account has moved since. Of any
	 * number of accounts at once one gets it; one that is gone or deleted gets nothing.
	 */
	claim(reference: PurchaseReference, user: Pick<User, 'id' | 'email'>): Promise<boolean>;

	/** All purchases of an account, newest first. */
	listOf(userId: UserId): Promise<readonly Purchase[]>;
}
