import type { Email } from '../email.ts';
import type { Brand, PurchaseId, UserId } from '../ids.ts';
import { tokenParser } from '../secret.ts';
import type { User } from '../user.ts';

/** For the page after a checkout. Anyone who has it can request a code to claim the purchase. */
export type PurchaseReference = Brand<string, 'PurchaseReference'>;

export const parsePurchaseReference = tokenParser<PurchaseReference>();

export interface Purchase {
	readonly id: PurchaseId;
	readonly email: Email;
	/** Null until an account of that email address claims the purchase or is created. */
	readonly userId: UserId | null;
	readonly reference: PurchaseReference;
	readonly product: string;
	readonly status: 'paid';
	readonly createdAt: Date;
}

/**
 * Stored purchases, also those made without an account. The application's payment webhook records
 * them.
 */
export interface Purchases {
	/**
	 * Stores a purchase and links it to the active account of its email address, if there is one.
	 * This also holds for an account that is created at the same time. A purchase whose reference is
	 * already stored changes nothing: providers send webhooks more than once.
	 */
	record(purchase: Omit<Purchase, 'userId'>): Promise<void>;

	find(reference: PurchaseReference): Promise<Purchase | null>;

	/**
	 * Links a purchase to the account, if it has no account yet and was made with the account's
	 * email address. Also true when it already belongs to the account, even if the account's
	 * address has changed since. Of any number of concurrent accounts one gets it. An account that
	 * is gone or deleted gets nothing.
	 */
	claim(reference: PurchaseReference, user: Pick<User, 'id' | 'email'>): Promise<boolean>;

	/** All purchases of an account, newest first. */
	listOf(userId: UserId): Promise<readonly Purchase[]>;
}

declare module '../deps.ts' {
	interface Stores {
		readonly purchases: Purchases;
	}
}
