import type { Email } from '../email.ts';
import { parseEmail } from '../email.ts';
import type { ErrorOf } from '../errors.ts';
import type { PurchaseId } from '../ids.ts';
import type { Clock } from '../ports/clock.ts';
import type { DomainNames } from '../ports/domain-names.ts';
import type { Ids } from '../ports/ids.ts';
import type { Purchases } from './purchases.ts';
import type { Random } from '../ports/random.ts';
import {
	newPurchaseReference,
	parsePurchaseReference,
	type Purchase,
	type PurchaseReference
} from './purchase.ts';
import { ok, type Result } from '../result.ts';
import type { User } from '../account/user.ts';

/**
 * The reference of a purchase that is about to be made: it goes into the address that the payment
 * provider leads back to, and comes back with its webhook.
 */
export type BeginPurchase = () => PurchaseReference;

/**
 * For the application's payment webhook: keeps what somebody bought, once for each reference, as
 * webhooks come more than once. Without a reference it makes one.
 */
export type RecordPurchase = (bought: {
	readonly email: string;
	readonly product: string;
	readonly reference?: PurchaseReference;
}) => Promise<
	Result<{ readonly reference: PurchaseReference; readonly email: Email }, ErrorOf<'invalid_email'>>
>;

/** The purchase a page was opened for; null for an unknown reference. */
export type ReadPurchase = (reference: string) => Promise<Purchase | null>;

/** Makes a purchase the account's, if it was made with its address. */
export type ClaimPurchase = (
	reference: PurchaseReference,
	user: Pick<User, 'id' | 'email'>
) => Promise<boolean>;

export interface PurchaseDeps {
	readonly purchases: Purchases;
	readonly domainNames: DomainNames;
	readonly clock: Clock;
	readonly random: Random;
	readonly ids: Ids;
}

export const makeBeginPurchase =
	({ random }: Pick<PurchaseDeps, 'random'>): BeginPurchase =>
	() =>
		newPurchaseReference(random);

export const makeRecordPurchase =
	({ purchases, domainNames, clock, random, ids }: PurchaseDeps): RecordPurchase =>
	async ({ email: typed, product, reference = newPurchaseReference(random) }) => {
		const email = parseEmail(typed, domainNames);
		if (!email.ok) return email;
		await purchases.record({
			id: ids.next() as PurchaseId,
			email: email.value,
			userId: null,
			reference,
			product,
			status: 'paid',
			createdAt: clock.now()
		});
		return ok({ reference, email: email.value });
	};

export const makeReadPurchase =
	({ purchases }: Pick<PurchaseDeps, 'purchases'>): ReadPurchase =>
	async (typed) => {
		const reference = parsePurchaseReference(typed);
		return reference && purchases.find(reference);
	};

export const makeClaimPurchase =
	({ purchases }: Pick<PurchaseDeps, 'purchases'>): ClaimPurchase =>
	(reference, user) =>
		purchases.claim(reference, user);
