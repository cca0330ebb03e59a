import { describe, expect, it } from 'vitest';
import { defaultPolicy } from '#lib/domain/index.ts';
import { anEmail } from '../../support/domain/builders.ts';
import { aWorld, valueOf } from '../../support/domain/world.ts';

const ada = 'ada@example.com';
const { grace } = defaultPolicy.deletion;

describe('purging deleted accounts', () => {
	it('finds nothing in an empty house, nor where everybody lives', async () => {
		const world = aWorld();
		expect(await world.purgeAccounts()).toBe(0);
		const { user } = await world.signIn(ada);
		world.clock.advance(2 * grace);
		expect(await world.purgeAccounts()).toBe(0);
		expect((await world.accounts.find(anEmail(ada)))?.user).toEqual(user);
	});

	it('takes one thirty days after its deletion, not a second earlier, and once', async () => {
		const world = aWorld();
		await world.remove(await world.signIn(ada));
		world.clock.advance(grace - 1);
		expect(await world.purgeAccounts()).toBe(0);
		expect(await world.accounts.find(anEmail(ada))).not.toBeNull();
		world.clock.advance(1);
		expect(await world.purgeAccounts()).toBe(1);
		expect(await world.accounts.find(anEmail(ada))).toBeNull();
		expect(await world.purgeAccounts()).toBe(0);
	});

	it('until then it can be restored, also between its day and the purge', async () => {
		for (const seconds of [grace - 1, grace, grace + 3600]) {
			const world = aWorld();
			const { user } = await world.signIn(ada);
			await world.remove({ user });
			world.clock.advance(seconds);
			const restored = await world.guess(ada, await world.sendTo(ada), { ifDeleted: 'restore' });
			expect(valueOf(restored).user.id).toBe(user.id);
			expect(await world.purgeAccounts()).toBe(0);
		}
	});

	it('leaves one that was restored, and counts anew when it is deleted again', async () => {
		const world = aWorld();
		await world.remove(await world.signIn(ada));
		world.clock.advance(grace / 2);
		const code = await world.sendTo(ada);
		const restored = valueOf(await world.guess(ada, code, { ifDeleted: 'restore' }));
		world.clock.advance(grace);
		expect(await world.purgeAccounts()).toBe(0);
		await world.remove(restored);
		world.clock.advance(grace - 1);
		expect(await world.purgeAccounts()).toBe(0);
		world.clock.advance(1);
		expect(await world.purgeAccounts()).toBe(1);
	});

	it('leaves nothing behind, and whoever has the address then gets a new account', async () => {
		const world = aWorld();
		const before = await world.signIn(ada);
		await world.grantConsent(before.user.id);
		const { reference } = valueOf(await world.recordPurchase({ email: ada, product: 'book' }));
		await world.remove(before);
		world.clock.advance(grace);
		await world.purgeAccounts();
		expect(await world.accounts.dataOf(before.user.id)).toBeNull();
		expect(await world.readPurchase(reference)).toBeNull();
		const after = await world.signIn(ada);
		expect(after.user.id).not.toBe(before.user.id);
		expect(await world.accounts.dataOf(after.user.id)).toMatchObject({ marketingOptIn: false });
		expect(await world.purchases.listOf(after.user.id)).toEqual([]);
	});

	it('frees the address for others to move to', async () => {
		const world = aWorld();
		await world.remove(await world.signIn(ada));
		world.clock.advance(grace);
		await world.purgeAccounts();
		const bobs = await world.signIn('bob@example.com');
		expect((await world.move(bobs, ada)).user.email).toBe(ada);
	});

	it('works in batches and takes everything all the same', async () => {
		const limits: number[] = [];
		const real = aWorld();
		const world = aWorld({
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
			await world.remove(await world.signIn(`user${number}@example.com`));
		}
		await world.signIn(ada);
		world.clock.advance(grace);
		expect(await world.purgeAccounts()).toBe(7);
		expect(limits).toEqual([3, 3, 3]);
		expect(await world.accounts.find(anEmail(ada))).not.toBeNull();
	});
});
