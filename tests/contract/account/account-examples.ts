import { newAccount } from '#lib/domain/account/ports.ts';
import type { ConsentOccasion } from '#lib/domain/consent/ports.ts';
import type { Email } from '#lib/domain/email.ts';
import type { PurchaseId } from '#lib/domain/ids.ts';
import type { DeviceChange } from '#lib/domain/known-device.ts';
import type { OutboxRow } from '#lib/domain/outbox.ts';
import type { Purchase, PurchaseReference } from '#lib/domain/purchases/ports.ts';
import type { SecretHash } from '#lib/domain/secret.ts';
import { newSession } from '#lib/domain/sessions/ports.ts';
import type { IfDeleted, Redeemed } from '#lib/domain/sign-in/ports.ts';
import type { Stores } from '#lib/domain/stores.ts';
import {
	ada,
	aChallenge,
	aHash,
	anEmail,
	at,
	newChallengeId,
	newIds,
	newSessionId,
	policy
} from '../stores/examples.ts';
import { aName } from '../../support/domain/builders.ts';

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

export interface EnteringOf {
	readonly now?: Date;
	readonly ifDeleted?: IfDeleted;
	/** False opens no account. */
	readonly creates?: boolean;
	/** Where the owner agreed to marketing at sign-up. */
	readonly marketing?: ConsentOccasion | null;
	readonly device?: DeviceChange | null;
	/** Of a new account. */
	readonly name?: string;
	readonly newDeviceEmails?: readonly OutboxRow[];
	/** The session of this browser, which the sign-in replaces. */
	readonly replaces?: SecretHash;
	readonly tokenHash?: SecretHash;
	readonly sessionsPerAccount?: number;
}

/** A right code, requested and not entered yet. Calling the result enters it. */
export const askedFor = async (
	{ challenges }: Stores,
	email: Email,
	{
		now = at(1),
		ifDeleted = { then: 'refuse' },
		creates = true,
		marketing = null,
		device = null,
		name = 'Ada',
		newDeviceEmails = [],
		replaces,
		tokenHash = aHash(),
		sessionsPerAccount = policy.session.perAccount
	}: EnteringOf = {}
) => {
	const challenge = aChallenge({ email, boundTo: aHash(), createdAt: now });
	await challenges.issue(challenge, now);
	const from = { ipAddress: '192.0.2.1', userAgent: 'a browser' };
	const profile = { name: aName(name), image: null, marketing };
	return ({ signIns }: Stores) =>
		signIns.redeem({
			challengeId: challenge.id,
			email,
			account: creates ? newAccount(newIds, email, profile, now) : null,
			session: newSession(newSessionId(), tokenHash, from, now, policy),
			sessionsPerAccount,
			replaces: replaces === undefined ? [] : [replaces],
			device,
			newDeviceEmails,
			ifDeleted
		});
};

/** Signs in to an address, which creates its account if there is none. */
export const signIn = async (
	stores: Stores,
	email: Email = ada,
	but: EnteringOf = {}
): Promise<Redeemed> => {
	const enter = await askedFor(stores, email, but);
	const redeemed = await enter(stores);
	if (redeemed?.kind !== 'signed_in') throw new Error('the code was not redeemed');
	return redeemed;
};
