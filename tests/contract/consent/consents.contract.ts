import { describe, expect, it } from 'vitest';
import type { OpenBacking } from '../../support/database/backing.ts';
import type { UserId } from '#lib/domain/ids.ts';
import { signIn } from '../account/account-examples.ts';
import { raceConsents } from '../account/account-races.ts';
import { anEmail, at, bob, newUserId, rounds } from '../stores/examples.ts';
import { opened } from '../stores/suite.ts';

export const consentsContract = (name: string, open: OpenBacking): void => {
	describe(`consents (${name})`, () => {
		const backing = opened(open);
		const port = () => backing().stores.consents;
		const dataOf = (id: UserId) => backing().stores.accounts.dataOf(id);
		const account = async (marketingOptIn = false, email = anEmail()) => {
			const { user } = await signIn(backing().stores, email, { marketingOptIn });
			return user.id;
		};

		it('a consent is stored with its time, and nothing else changes', async () => {
			const id = await account();
			const before = await dataOf(id);
			expect(await port().grantMarketing(id, at(5))).toBe(true);
			expect(await dataOf(id)).toEqual({
				...before,
				marketingOptIn: true,
				marketingOptInAt: at(5)
			});
		});

		it('a user who consented before keeps the time of the first consent', async () => {
			const id = await account();
			await port().grantMarketing(id, at(5));
			expect(await port().grantMarketing(id, at(9))).toBe(true);
			expect((await dataOf(id))?.marketingOptInAt).toEqual(at(5));
		});

		it('a user who consented at sign-up keeps that time', async () => {
			const id = await account(true);
			const agreed = await dataOf(id);
			expect(agreed).toMatchObject({ marketingOptIn: true, marketingOptInAt: at(1) });
			expect(await port().grantMarketing(id, at(9))).toBe(true);
			expect(await dataOf(id)).toEqual(agreed);
		});

		it('it is also stored for an account without data', async () => {
			const id = await account();
			await backing().forgetData();
			expect(await dataOf(id)).toBeNull();
			expect(await port().grantMarketing(id, at(5))).toBe(true);
			expect(await dataOf(id)).toEqual({
				userId: id,
				marketingOptIn: true,
				marketingOptInAt: at(5),
				isTrialEligible: true
			});
		});

		it('a consent of one account does not apply to another', async () => {
			const [id, other] = [await account(), await account(false, bob)];
			const before = await dataOf(other);
			await port().grantMarketing(id, at(5));
			expect(await dataOf(other)).toEqual(before);
		});

		it('a missing account cannot consent', async () => {
			expect(await port().grantMarketing(newUserId(), at(5))).toBe(false);
			expect(await backing().rows('userData')).toBe(0);
		});

		it('a deleted account cannot consent, with data or without', async () => {
			const id = await account();
			await backing().stores.accounts.delete(id, at(2));
			const before = await dataOf(id);
			expect(await port().grantMarketing(id, at(5))).toBe(false);
			expect(await dataOf(id)).toEqual(before);
			await backing().forgetData();
			expect(await port().grantMarketing(id, at(5))).toBe(false);
			expect(await backing().rows('userData')).toBe(0);
		});

		it('of 50 concurrent consents the first sets the time, and all others keep it', async () => {
			for (let round = 0; round < rounds(3, 50); round += 1) {
				const id = await account();
				await backing().forgetData();
				expect(await raceConsents(backing().instances, 50, id)).toEqual({
					granted: 50,
					failed: 0,
					moved: 0
				});
				expect(await backing().rows('userData')).toBe(1);
			}
		});

		it('the time is a copy: changing it changes nothing stored', async () => {
			const id = await account();
			const now = at(5);
			await port().grantMarketing(id, now);
			now.setTime(0);
			(await dataOf(id))?.marketingOptInAt?.setTime(0);
			expect((await dataOf(id))?.marketingOptInAt).toEqual(at(5));
		});
	});
};
