import type { Brand } from '../brand.ts';
import type { Email } from '../email.ts';
import type { PurchaseId, UserId } from '../ids.ts';
import type { Random } from '../ports/random.ts';
import { newSecret, SECRET } from '../secret.ts';

/** What the page after a checkout knows a purchase by. Whoever has it may ask for a code to claim it. */
export type PurchaseReference = Brand<string, 'PurchaseReference'>;

export type PurchaseStatus = 'paid' | 'refunded';

export interface Purchase {
	readonly id: PurchaseId;
	/** The address it was made with. */
	readonly email: Email;
	/** Null until somebody with that address has an account or claims it. */
	readonly userId: UserId | null;
	readonly reference: PurchaseReference;
	readonly product: string;
	readonly status: PurchaseStatus;
	readonly createdAt: Date;
}

export const newPurchaseReference = (random: Random): PurchaseReference =>
	newSecret(random) as PurchaseReference;

/** Null for anything that cannot have been issued. */
export const parsePurchaseReference = (value: string): PurchaseReference | null =>
	SECRET.test(value) ? (value as PurchaseReference) : null;
