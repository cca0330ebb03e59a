import { describe, expect, it } from 'vitest';
import type { UserId } from '#lib/domain/ids.ts';
import { askedFor, signIn } from '../account/account-examples.ts';
import { raceConsents, raceDecisions } from '../account/account-races.ts';
import { move } from '../email-change/email-change-races.ts';
import { anEmail, at, bob, newRecordId, newUserId, rounds } from '../stores/examples.ts';
import { storeContract } from '../stores/suite.ts';
import { aDecision, byComplaint, FREE, inAnApp, onSignUp } from './consent-examples.ts';

export const consentsContract = storeContract('consents', (backing) => {
	const port = () => backing.stores.consents;
	const dataOf = (id: UserId) => port().of(id);
	const account = async (marketing: typeof onSignUp | null = null, email = anEmail()) => {
		const { user } = await signIn(backing.stores, email, { marketing });
		return user.id;
	};
	const grant = (id: UserId, seconds = 5) => port().grantMarketing(aDecision(id, seconds), FREE);
	const withdraw = (id: UserId, seconds = 6) => port().withdrawMarketing(aDecision(id, seconds));
	const historyOf = (id: UserId) => port().historyOf(id, 100);
	const actionsOf = async (id: UserId) => (await historyOf(id)).map(({ action }) => action);

	describe('finding', () => {
		it('the data of an account is found by its id', async () => {
			const id = await account(onSignUp);
			await account(null, bob);
			const given = { marketingOptIn: true, marketingOptInAt: at(1) };
			expect(await dataOf(id)).toEqual({ userId: id, ...given, isTrialEligible: true });
		});

		it('an account without data, and a missing account, give null', async () => {
			const id = await account();
			await backing.forgetData();
			expect([await dataOf(id), await dataOf(newUserId())]).toEqual([null, null]);
		});
	});

	describe('granting', () => {
		it('a consent is stored with its time, and nothing else changes', async () => {
			const id = await account();
			const before = await dataOf(id);
			expect(await grant(id)).toEqual({ kind: 'granted' });
			expect(await dataOf(id)).toEqual({
				...before,
				marketingOptIn: true,
				marketingOptInAt: at(5)
			});
		});

		it('it is recorded with its occasion and the email address of that moment', async () => {
			const email = anEmail();
			const id = await account(null, email);
			const decision = aDecision(id);
			await port().grantMarketing(decision, FREE);
			expect(await historyOf(id)).toEqual([
				{
					...onSignUp,
					id: decision.id,
					userId: id,
					purpose: 'marketing',
					action: 'granted',
					at: at(5),
					email
				}
			]);
		});

		it('a user who consented at sign-up keeps that time and record', async () => {
			const id = await account(onSignUp);
			const agreed = await dataOf(id);
			const recorded = await historyOf(id);
			expect(agreed).toMatchObject({ marketingOptIn: true, marketingOptInAt: at(1) });
			expect(recorded).toMatchObject([{ action: 'granted', at: at(1), ...onSignUp }]);
			expect(await grant(id, 9)).toEqual({ kind: 'unchanged' });
			expect([await dataOf(id), await historyOf(id)]).toEqual([agreed, recorded]);
		});

		it('it is also stored for an account without data', async () => {
			const id = await account();
			await backing.forgetData();
			expect(await dataOf(id)).toBeNull();
			expect(await grant(id)).toEqual({ kind: 'granted' });
			expect(await dataOf(id)).toEqual({
				userId: id,
				marketingOptIn: true,
				marketingOptInAt: at(5),
				isTrialEligible: true
			});
			expect(await actionsOf(id)).toEqual(['granted']);
		});

		it('a consent of one account does not apply to another', async () => {
			const [id, other] = [await account(), await account(null, bob)];
			const before = await dataOf(other);
			await grant(id);
			expect(await dataOf(other)).toEqual(before);
			expect(await historyOf(other)).toEqual([]);
		});

		it('a missing account cannot consent', async () => {
			expect(await grant(newUserId())).toEqual({ kind: 'no_account' });
			expect(await backing.rows('userData')).toBe(0);
			expect(await backing.rows('consentRecords')).toBe(0);
		});

		it('a deleted account cannot consent, with data or without', async () => {
			const id = await account();
			await backing.stores.accounts.delete(id, at(2));
			const before = await dataOf(id);
			expect(await grant(id)).toEqual({ kind: 'no_account' });
			expect(await dataOf(id)).toEqual(before);
			await backing.forgetData();
			expect(await grant(id)).toEqual({ kind: 'no_account' });
			expect(await backing.rows('userData')).toBe(0);
			expect(await backing.rows('consentRecords')).toBe(0);
		});

		it('at the limit it is refused with the oldest consent that counts, and stored again afterwards', async () => {
			const id = await account();
			const limit = { grants: 2, since: at(0) };
			for (const seconds of [1, 3, 5]) {
				await grant(id, seconds);
				await withdraw(id, seconds + 1);
			}
			const before = await historyOf(id);
			expect(await port().grantMarketing(aDecision(id, 7), limit)).toEqual({
				kind: 'too_many',
				oldest: at(3)
			});
			expect(await dataOf(id)).toMatchObject({ marketingOptIn: false });
			expect(await historyOf(id)).toEqual(before);
			const later = { grants: 2, since: at(3) };
			expect(await port().grantMarketing(aDecision(id, 8), later)).toEqual({ kind: 'granted' });
		});

		it('consents of other accounts do not count towards the limit', async () => {
			const [id, other] = [await account(), await account()];
			await grant(other);
			const one = { grants: 1, since: at(0) };
			expect(await port().grantMarketing(aDecision(id), one)).toEqual({ kind: 'granted' });
		});

		it('of 20 concurrent consents one sets the time and is recorded, and all others keep it', async () => {
			for (let round = 0; round < rounds(1, 50); round += 1) {
				const id = await account();
				await backing.forgetData();
				expect(await raceConsents(backing.instances, 20, id)).toEqual({
					granted: 1,
					failed: 0,
					moved: 0,
					recorded: 1
				});
				expect(await backing.rows('userData')).toBe(1);
			}
		});
	});

	describe('withdrawing', () => {
		it('the consent ends and is recorded, and the rest of the data stays', async () => {
			const id = await account();
			const before = await dataOf(id);
			await grant(id);
			const decision = aDecision(id, 6, inAnApp);
			expect(await port().withdrawMarketing(decision)).toBe(true);
			expect(await dataOf(id)).toEqual(before);
			expect(await historyOf(id)).toMatchObject([
				{ ...inAnApp, id: decision.id, action: 'withdrawn', at: at(6) },
				{ ...onSignUp, action: 'granted', at: at(5) }
			]);
		});

		it('without a consent nothing changes and nothing is recorded', async () => {
			const id = await account();
			expect(await withdraw(id)).toBe(true);
			await grant(id);
			await withdraw(id, 6);
			expect(await withdraw(id, 7)).toBe(true);
			expect(await actionsOf(id)).toEqual(['withdrawn', 'granted']);
			await backing.forgetData();
			expect(await withdraw(id, 8)).toBe(true);
			expect(await dataOf(id)).toBeNull();
		});

		it('an account in its grace period can withdraw, and stays so when it is restored', async () => {
			const email = anEmail();
			const id = await account(onSignUp, email);
			const { stores } = backing;
			await stores.accounts.delete(id, at(2));
			expect(await withdraw(id)).toBe(true);
			const enter = await askedFor(stores, email, { ifDeleted: { then: 'restore' } });
			await enter(stores);
			expect(await dataOf(id)).toMatchObject({ marketingOptIn: false });
			expect(await actionsOf(id)).toEqual(['withdrawn', 'granted']);
		});

		it('a withdrawal of one account does not apply to another', async () => {
			const [id, other] = [await account(onSignUp), await account(onSignUp)];
			await withdraw(id);
			expect(await dataOf(other)).toMatchObject({ marketingOptIn: true });
			expect(await actionsOf(other)).toEqual(['granted']);
		});

		it('with a limit, it leaves a consent that was given later', async () => {
			const id = await account();
			await grant(id, 5);
			const withdrawGivenBy = (seconds: number) =>
				port().withdrawMarketing(aDecision(id, 9, byComplaint), at(seconds));
			expect(await withdrawGivenBy(4.999)).toBe(true);
			expect(await actionsOf(id)).toEqual(['granted']);
			expect(await withdrawGivenBy(5)).toBe(true);
			expect(await dataOf(id)).toMatchObject({ marketingOptIn: false });
			expect((await historyOf(id))[0]).toMatchObject({ action: 'withdrawn', ...byComplaint });
		});

		it('a missing account has nothing to withdraw', async () => {
			expect(await withdraw(newUserId())).toBe(false);
			expect(await backing.rows('consentRecords')).toBe(0);
		});

		it('of concurrent consents and withdrawals each change has one record', async () => {
			for (let round = 0; round < rounds(1, 50); round += 1) {
				const id = await account();
				expect(await raceDecisions(backing.instances, 20, id)).toEqual({
					failed: 0,
					astray: 0
				});
			}
		});
	});

	describe('the history', () => {
		it('has the newest first, and at most the given number', async () => {
			const id = await account();
			for (const seconds of [1, 3]) {
				await grant(id, seconds);
				await withdraw(id, seconds + 1);
			}
			expect((await historyOf(id)).map((one) => one.at)).toEqual([4, 3, 2, 1].map(at));
			expect((await port().historyOf(id, 3)).map((one) => one.at)).toEqual([4, 3, 2].map(at));
		});

		it('no record changes when the account changes its email address, is deleted or restored', async () => {
			const { stores } = backing;
			const somebody = await signIn(stores, anEmail(), { marketing: onSignUp });
			const { id } = somebody.user;
			const before = await historyOf(id);
			const moved = anEmail();
			await move(stores, somebody, moved);
			await stores.accounts.update(id, { image: 'https://example.com/a.png' }, at(4));
			await withdraw(id, 5);
			const [latest, ...earlier] = await historyOf(id);
			expect([latest?.email, earlier]).toEqual([moved, before]);
			await stores.accounts.delete(id, at(6));
			const restore = await askedFor(stores, moved, { ifDeleted: { then: 'restore' } });
			await restore(stores);
			expect(await historyOf(id)).toEqual([latest, ...earlier]);
		});

		it('the id of a record is used once', async () => {
			const [id, other] = [await account(), await account()];
			const record = newRecordId();
			await port().grantMarketing({ ...aDecision(id), id: record }, FREE);
			await expect(
				port().grantMarketing({ ...aDecision(other), id: record }, FREE)
			).rejects.toThrow();
			expect(await dataOf(other)).toMatchObject({ marketingOptIn: false });
			expect(await historyOf(other)).toEqual([]);
		});
	});
});
