import type { Brand } from '../brand.ts';
import type { Email } from '../email.ts';
import type { PurchaseId, UserId } from '../ids.ts';
import type { Random } from '../random.ts';
import { newSecret, SECRET } from '../secret.ts';

/**
 * Identifies a purchase on the page after a checkout. Anyone who has it can request a code to
 * claim the purchase.
 */
export type PurchaseReference = Brand<string, 'PurchaseReference'>;

export type PurchaseStatus = 'paid' | 'refunded';

export interface Purchase {
	readonly id: PurchaseId;
	/** The email address that the purchase was made with. */
	readonly email: Email;
	/** Null until an account of that address claims the purchase or is created. */
	readonly userId: UserId | null;
	readonly reference: PurchaseReference;
	readonly product: string;
	readonly status: PurchaseStatus;
	readonly createdAt: Date;
}

export const newPurchaseReference = (random: Random): PurchaseReference =>
	newSecret(random) as PurchaseReference;

/** Null for text that cannot be an issued reference. */
export const parsePurchaseReference = (value: string): PurchaseReference | null =>
	SECRET.test(value) ? (value as PurchaseReference) : null;
