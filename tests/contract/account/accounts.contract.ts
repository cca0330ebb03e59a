import { onSignUp } from '../consent/consent-examples.ts';
import { describe, expect, it } from 'vitest';
import type { Email } from '#lib/domain/email.ts';
import {
	EMAIL_CHANGE_PURPOSES,
	type Challenge,
	type SessionlessChallenge,
	type Purpose
} from '#lib/domain/sign-in/ports.ts';
import { aPurchase, signIn, type EnteringOf } from './account-examples.ts';
import { raceConfirmations, raceDeletions } from './account-races.ts';
import { requestMove } from '../email-change/email-change-races.ts';
import {
	ada,
	adasPhone,
	aChallenge,
	anEmail,
	at,
	bob,
	newUserId,
	policy,
	rounds
} from '../stores/examples.ts';
import { aName } from '../../support/domain/builders.ts';
import { storeContract } from '../stores/suite.ts';

export const accountsContract = storeContract('accounts', (backing) => {
	const port = () => backing.stores.accounts;
	const account = async (email = ada, but: EnteringOf = {}) =>
		(await signIn(backing.stores, email, but)).user;
	const issued = async (but: Partial<SessionlessChallenge> = {}): Promise<Challenge> => {
		const challenge = aChallenge(but);
		await backing.stores.challenges.issue(challenge, at(1));
		return challenge;
	};
	/** The remaining codes of Ada, of one for each purpose. */
	const codes = async (email: Email, boundTo: Challenge['boundTo']) => {
		const purposes: Purpose[] = ['sign_in', 'email_verification', 'account_restore'];
		for (const purpose of purposes) await issued({ purpose, email, boundTo });
		return async (): Promise<Purpose[]> => {
			const left: Purpose[] = [];
			for (const purpose of purposes) {
				const guess = { purpose, email, boundTo };
				const { challenges } = backing.stores;
				if (await challenges.countAttempt(guess, at(1), policy)) left.push(purpose);
			}
			return left;
		};
	};

	describe('finding', () => {
		it('an account is found by its address', async () => {
			const user = await account();
			await account(bob);
			expect(await port().find(ada)).toEqual({
				...user,
				role: null,
				deletedAt: null,
				blockedAt: null
			});
		});
	});

	describe('confirming an address', () => {
		it('it returns the account of the address, and consumes the challenge', async () => {
			const user = await account();
			const { id } = await issued({ purpose: 'email_verification' });
			expect(await port().consumeChallenge(id)).toEqual(user);
			expect(await port().consumeChallenge(id)).toBeNull();
			expect(await backing.rows('challenges')).toBe(0);
		});

		it('other challenges stay', async () => {
			await account();
			const { id } = await issued({ purpose: 'email_verification' });
			const other = await issued({ purpose: 'email_verification', boundTo: adasPhone });
			await port().consumeChallenge(id);
			const { challenges } = backing.stores;
			expect(await challenges.latestOf(adasPhone, 'email_verification')).toEqual(other);
		});

		it('an address without an account confirms nothing and creates none; the challenge is consumed', async () => {
			const { id } = await issued({ purpose: 'email_verification' });
			expect(await port().consumeChallenge(id)).toBeNull();
			expect(await backing.rows('users')).toBe(0);
			expect(await backing.rows('challenges')).toBe(0);
		});

		it('a deleted account confirms nothing and stays deleted', async () => {
			const user = await account();
			await port().delete(user.id, at(5));
			const { id } = await issued({ purpose: 'email_verification' });
			expect(await port().consumeChallenge(id)).toBeNull();
			expect((await port().find(ada))?.deletedAt).toEqual(at(5));
			expect(await backing.rows('challenges')).toBe(0);
		});

		it('A03: of 50 concurrent confirmations of one challenge exactly one succeeds', async () => {
			for (let round = 0; round < rounds(1, 50); round += 1) {
				expect(await raceConfirmations(backing.instances, 50)).toEqual({
					confirmed: 1,
					failed: 0
				});
			}
		});
	});

	describe('updating', () => {
		it('name and picture change with the time of the change, and nothing else', async () => {
			const user = await account();
			const changed = { ...user, name: aName('A. L.'), image: 'https://example.com/a.png' };
			const { name: newName, image } = changed;
			const updated = await port().update(user.id, { name: newName, image }, at(5));
			expect(updated).toEqual({ ...changed, updatedAt: at(5) });
			expect(await port().find(ada)).toMatchObject({ ...updated });
		});

		it('absent fields stay, and null removes the image', async () => {
			const { id } = await account();
			await port().update(id, { image: 'https://example.com/a.png' }, at(5));
			const renamed = await port().update(id, { name: aName('') }, at(6));
			expect(renamed).toMatchObject({ name: '', image: 'https://example.com/a.png' });
			const bare = await port().update(id, { image: null }, at(7));
			expect(bare).toMatchObject({ name: '', image: null });
			expect(await port().update(id, {}, at(8))).toEqual({ ...bare, updatedAt: at(8) });
		});

		it('other accounts do not change', async () => {
			const [adas, bobs] = [await account(), await account(bob)];
			await port().update(adas.id, { name: aName('A. L.') }, at(5));
			expect(await port().find(bob)).toMatchObject(bobs);
		});

		it('a missing or deleted account does not change', async () => {
			const { id } = await account();
			await port().delete(id, at(5));
			const before = await port().find(ada);
			expect(await port().update(id, { name: aName('A. L.') }, at(6))).toBeNull();
			expect(await port().find(ada)).toEqual(before);
			expect(await port().update(newUserId(), { name: aName('A. L.') }, at(6))).toBeNull();
		});
	});

	describe('deleting', () => {
		it('E15: a deleted account is marked and keeps its data', async () => {
			const user = await account(ada, { marketing: onSignUp });
			const data = await backing.stores.consents.of(user.id);
			await backing.stores.purchases.record(aPurchase());
			expect(await port().delete(user.id, at(5))).not.toBeNull();
			expect(await port().find(ada)).toMatchObject({
				...user,
				updatedAt: at(5),
				deletedAt: at(5)
			});
			expect(await backing.stores.consents.of(user.id)).toEqual(data);
			expect(await backing.stores.purchases.listOf(user.id)).toHaveLength(1);
		});

		it('E15: all its sessions end, and the result names them; those of other accounts stay (GHSA-2vg6-77g8-24mp)', async () => {
			const { stores } = backing;
			const [first, second] = [await signIn(stores), await signIn(stores)];
			const other = await signIn(stores, bob);
			const ended = await port().delete(first.user.id, at(5));
			expect([...(ended ?? [])].sort()).toEqual([first.session.id, second.session.id].sort());
			expect(await stores.sessions.listOf(first.user.id, at(5))).toEqual([]);
			expect(await stores.sessions.listOf(other.user.id, at(5))).toHaveLength(1);
		});

		it('an account without sessions ends none', async () => {
			const { user, session } = await signIn(backing.stores);
			await backing.stores.sessions.endOne(user.id, session.id);
			expect(await port().delete(user.id, at(5))).toEqual([]);
		});

		it('E15: the codes of its address and its restore grants are void, those of other accounts stay', async () => {
			const { id } = await account();
			await account(bob);
			const kinds = [null, adasPhone];
			const adas = await Promise.all(kinds.map((boundTo) => codes(ada, boundTo)));
			const bobs = await codes(bob, adasPhone);
			await port().delete(id, at(5));
			for (const left of adas) expect(await left()).toEqual([]);
			expect(await bobs()).toEqual(['sign_in', 'email_verification', 'account_restore']);
		});

		it('E15: its email changes are void, those of other accounts to its address stay', async () => {
			const { stores } = backing;
			const [adas, other] = [await signIn(stores), await signIn(stores, bob)];
			const { id } = adas.user;
			const { emailChanges } = stores;
			for (const purpose of EMAIL_CHANGE_PURPOSES) {
				await requestMove(stores, adas, anEmail(), { purpose });
			}
			const bobs = await requestMove(stores, other, ada);
			await port().delete(id, at(5));
			expect(await emailChanges.pendingOf(id, at(2))).toBeNull();
			expect(await emailChanges.pendingOf(other.user.id, at(2))).toEqual(bobs);
			expect(await backing.rows('challenges')).toBe(1);
		});

		it('an account that was already deleted keeps its time, and codes requested since', async () => {
			const { id } = await account();
			await port().delete(id, at(5));
			const left = await codes(ada, null);
			expect(await port().delete(id, at(6))).toBeNull();
			expect((await port().find(ada))?.deletedAt).toEqual(at(5));
			expect(await left()).toHaveLength(3);
		});

		it('of 20 concurrent deletions exactly one succeeds', async () => {
			for (let round = 0; round < rounds(1, 50); round += 1) {
				expect(await raceDeletions(backing.instances, 20)).toEqual({ deleted: 1, failed: 0 });
			}
		});
	});
});
