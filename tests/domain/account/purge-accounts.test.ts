import { describe, expect, it } from 'vitest';
import { defaultPolicy } from '#lib/domain/policy.ts';
import { anEmail } from '../../support/domain/builders.ts';
import { aFixture, aSignedIn, valueOf } from '../../support/domain/fixture.ts';

const ada = 'ada@example.com';
const { grace } = defaultPolicy.deletion;

describe('purging deleted accounts', () => {
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
			const { fixture, user } = await aSignedIn(ada);
			await fixture.remove({ user });
			fixture.clock.advance(seconds);
			const restored = await fixture.enterCode(ada, await fixture.sendTo(ada), {
				ifDeleted: 'restore'
			});
			expect(valueOf(restored).user.id).toBe(user.id);
			expect(await fixture.purgeAccounts()).toBe(0);
		}
	});

	it('works in batches and removes everything, also after an account that is in use', async () => {
		const limits: number[] = [];
		const real = aFixture();
		const fixture = aFixture({
			policy: { ...defaultPolicy, prune: { ...defaultPolicy.prune, accounts: 3 } },
			...real.stores,
			accounts: {
				...real.accounts,
				purge: (deletedBefore, limit) => {
					limits.push(limit);
					return real.accounts.purge(deletedBefore, limits.length === 1 ? limit - 1 : limit);
				}
			}
		});
		for (let number = 0; number < 7; number += 1) {
			await fixture.remove(await fixture.signIn(`user${number}@example.com`));
		}
		await fixture.signIn(ada);
		fixture.clock.advance(grace);
		expect(await fixture.purgeAccounts()).toBe(7);
		expect(limits).toEqual([3, 3, 3, 3]);
		expect(await fixture.accounts.find(anEmail(ada))).not.toBeNull();
	});
});
