import type { Email } from '#lib/domain/email.ts';
import type { PurchaseId } from '#lib/domain/ids.ts';
import type { Purchase } from '#lib/domain/purchases/ports.ts';
import type { PurchaseReference } from '#lib/domain/purchases/ports.ts';
import type { Redeemed } from '#lib/domain/sign-in/ports.ts';
import type { Stores } from '#lib/domain/deps.ts';
import {
	ada,
	aChallenge,
	aHash,
	anEmail,
	aRedemption,
	at,
	newChallengeId,
	signedIn,
	type RedemptionOf
} from '../stores/examples.ts';

export const newPurchaseId = (): PurchaseId => newChallengeId() as string as PurchaseId;

/** An unclaimed purchase made with Ada's address. */
export const aPurchase = (but: Partial<Purchase> = {}): Purchase => ({
	id: newPurchaseId(),
	email: ada,
	userId: null,
	reference: `reference-${anEmail()}` as PurchaseReference,
	product: 'a book',
	status: 'paid',
	createdAt: at(0),
	...but
});

export interface EnteringOf extends RedemptionOf {
	/** False opens no account. */
	readonly creates?: boolean;
}

/** A right code, requested and not entered yet. Calling the result enters it. */
export const askedFor = async (
	{ challenges }: Pick<Stores, 'challenges'>,
	email: Email,
	{ creates = true, now = at(1), ...but }: EnteringOf = {}
) => {
	const challenge = aChallenge({ email, boundTo: aHash(), createdAt: now });
	await challenges.issue(challenge, now);
	const redemption = aRedemption(challenge, { now, ...but });
	return ({ signIns }: Pick<Stores, 'signIns'>) =>
		signIns.redeem(creates ? redemption : { ...redemption, account: null });
};

/** Signs in to an address, which creates its account if there is none. */
export const signIn = async (
	stores: Stores,
	email: Email = ada,
	but: EnteringOf = {}
): Promise<Redeemed> => {
	const enter = await askedFor(stores, email, but);
	return signedIn(await enter(stores));
};
