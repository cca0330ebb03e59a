import { parseEmail, type Email } from '../email.ts';
import { ok, type ErrorOf, type Result } from '../errors.ts';
import type { Ids, PurchaseId, UserId } from '../ids.ts';
import type { DomainNames, Random } from '../ports.ts';
import type { Clock } from '../time.ts';
import type { User } from '../user.ts';
import { newPurchaseReference, parsePurchaseReference, type Purchase, type PurchaseReference, type Purchases } from './ports.ts';

/**
 * Creates the reference of a new purchase. The payment provider gets it in the return URL and
 * sends it back with its webhook.
 */
export type BeginPurchase = () => PurchaseReference;

/**
 * For the application's payment webhook. Stores a purchase, once for each reference, because
 * providers send webhooks more than once. Creates a reference when none is given.
 */
export type RecordPurchase = (bought: {
	readonly email: string;
	readonly product: string;
	readonly reference?: PurchaseReference;
}) => Promise<
	Result<{ readonly reference: PurchaseReference; readonly email: Email }, ErrorOf<'invalid_email'>>
>;

/** The purchase of a reference. Null for an unknown reference. */
export type ReadPurchase = (reference: string) => Promise<Purchase | null>;

/** Links a purchase to the account, if it was made with the account's email address. */
export type ClaimPurchase = (
	reference: PurchaseReference,
	user: Pick<User, 'id' | 'email'>
) => Promise<boolean>;

/** All purchases of an account, newest first. */
export type ListPurchases = (userId: UserId) => Promise<readonly Purchase[]>;

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

export const makeListPurchases =
	({ purchases }: Pick<PurchaseDeps, 'purchases'>): ListPurchases =>
	(userId) =>
		purchases.listOf(userId);

export const purchases = {
	beginPurchase: makeBeginPurchase,
	recordPurchase: makeRecordPurchase,
	readPurchase: makeReadPurchase,
	claimPurchase: makeClaimPurchase,
	purchasesOf: makeListPurchases
};
