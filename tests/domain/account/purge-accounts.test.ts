import { describe, expect, it } from 'vitest';
import { defaultPolicy } from '#lib/domain/policy.ts';
import { anEmail, anOccasion } from '../../support/domain/builders.ts';
import { aFixture, valueOf } from '../../support/domain/fixture.ts';

const ada = 'ada@example.com';
const { grace } = defaultPolicy.deletion;

describe('purging deleted accounts', () => {
	it('finds nothing without accounts, or with active ones only', async () => {
		const fixture = aFixture();
		expect(await fixture.purgeAccounts()).toBe(0);
		const { user } = await fixture.signIn(ada);
		fixture.clock.advance(2 * grace);
		expect(await fixture.purgeAccounts()).toBe(0);
		expect((await fixture.accounts.find(anEmail(ada)))?.user).toEqual(user);
	});

	it('removes an account thirty days after its deletion, not a second earlier, and once', async () => {
		const fixture = aFixture();
		await fixture.remove(await fixture.signIn(ada));
		fixture.clock.advance(grace - 1);
		expect(await fixture.purgeAccounts()).toBe(0);
		expect(await fixture.accounts.find(anEmail(ada))).not.toBeNull();
		fixture.clock.advance(1);
		expect(await fixture.purgeAccounts()).toBe(1);
		expect(await fixture.accounts.find(anEmail(ada))).toBeNull();
		expect(await fixture.purgeAccounts()).toBe(0);
	});

	it('until then the account can be restored, also between its day and the purge', async () => {
		for (const seconds of [grace - 1, grace, grace + 3600]) {
			const fixture = aFixture();
			const { user } = await fixture.signIn(ada);
			await fixture.remove({ user });
			fixture.clock.advance(seconds);
			const restored = await fixture.guess(ada, await fixture.sendTo(ada), {
				ifDeleted: 'restore'
			});
			expect(valueOf(restored).user.id).toBe(user.id);
			expect(await fixture.purgeAccounts()).toBe(0);
		}
	});

	it('keeps a restored account, and counts anew when it is deleted again', async () => {
		const fixture = aFixture();
		await fixture.remove(await fixture.signIn(ada));
		fixture.clock.advance(grace / 2);
		const code = await fixture.sendTo(ada);
		const restored = valueOf(await fixture.guess(ada, code, { ifDeleted: 'restore' }));
		fixture.clock.advance(grace);
		expect(await fixture.purgeAccounts()).toBe(0);
		await fixture.remove(restored);
		fixture.clock.advance(grace - 1);
		expect(await fixture.purgeAccounts()).toBe(0);
		fixture.clock.advance(1);
		expect(await fixture.purgeAccounts()).toBe(1);
	});

	it('removes everything, and a later sign-in with the address creates a new account', async () => {
		const fixture = aFixture();
		const before = await fixture.signIn(ada);
		await fixture.grantConsent(before.user.id, anOccasion());
		const { reference } = valueOf(await fixture.recordPurchase({ email: ada, product: 'book' }));
		await fixture.remove(before);
		fixture.clock.advance(grace);
		await fixture.purgeAccounts();
		expect(await fixture.accounts.dataOf(before.user.id)).toBeNull();
		expect(await fixture.readPurchase(reference)).toBeNull();
		expect(await fixture.consents.historyOf(before.user.id, 9)).toEqual([]);
		const after = await fixture.signIn(ada);
		expect(after.user.id).not.toBe(before.user.id);
		expect(await fixture.accounts.dataOf(after.user.id)).toMatchObject({ marketingOptIn: false });
		expect(await fixture.purchases.listOf(after.user.id)).toEqual([]);
	});

	it('frees the address for others to move to', async () => {
		const fixture = aFixture();
		await fixture.remove(await fixture.signIn(ada));
		fixture.clock.advance(grace);
		await fixture.purgeAccounts();
		const bobs = await fixture.signIn('bob@example.com');
		expect((await fixture.move(bobs, ada)).user.email).toBe(ada);
	});

	it('works in batches and removes everything', async () => {
		const limits: number[] = [];
		const real = aFixture();
		const fixture = aFixture({
			policy: { ...defaultPolicy, prune: { ...defaultPolicy.prune, accounts: 3 } },
			deps: {
				...real.stores,
				accounts: {
					...real.accounts,
					purge: (deletedBefore, limit) => {
						limits.push(limit);
						return real.accounts.purge(deletedBefore, limit);
					}
				}
			}
		});
		for (let number = 0; number < 7; number += 1) {
			await fixture.remove(await fixture.signIn(`user${number}@example.com`));
		}
		await fixture.signIn(ada);
		fixture.clock.advance(grace);
		expect(await fixture.purgeAccounts()).toBe(7);
		expect(limits).toEqual([3, 3, 3]);
		expect(await fixture.accounts.find(anEmail(ada))).not.toBeNull();
	});
});
