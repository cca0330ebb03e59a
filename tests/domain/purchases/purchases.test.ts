import { describe, expect, it } from 'vitest';
import { newPurchaseReference, type PurchaseReference } from '#lib/domain/index.ts';
import { secondsFromStart } from '../../support/domain/builders.ts';
import { aWorld, errorOf, valueOf, type World } from '../../support/domain/world.ts';

const ada = 'ada@example.com';
const bob = 'bob@example.com';

const buy = async (world: World, email = ada): Promise<PurchaseReference> =>
	valueOf(await world.recordPurchase({ email, product: 'book' })).reference;

describe('a purchase', () => {
	it('is kept under the canonical address and a reference that cannot be guessed', async () => {
		const world = aWorld();
		world.clock.advance(60);
		const recorded = await world.recordPurchase({ email: ' Ada@Example.COM ', product: 'book' });
		expect(recorded).toEqual({
			ok: true,
			value: { reference: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/), email: ada }
		});
		const { reference } = valueOf(recorded);
		expect(await world.readPurchase(reference)).toEqual({
			id: expect.any(String),
			email: ada,
			userId: null,
			reference,
			product: 'book',
			status: 'paid',
			createdAt: secondsFromStart(60)
		});
		expect(await buy(world)).not.toBe(reference);
	});

	it('with what is no address is refused', async () => {
		const recorded = await aWorld().recordPurchase({ email: 'ada', product: 'book' });
		expect(errorOf(recorded)).toEqual({ code: 'invalid_email' });
	});

	it('makes no account and sends nothing', async () => {
		const world = aWorld();
		await buy(world);
		await world.background.flush();
		expect(await world.accounts.find(ada as never)).toBeNull();
		expect(world.mailer.mails).toEqual([]);
	});

	it('made before there is an account is the account’s from its creation', async () => {
		const world = aWorld();
		const references = [await buy(world), await buy(world)];
		const bobs = await buy(world, bob);
		const { user } = await world.signIn(ada);
		for (const reference of references) {
			expect((await world.readPurchase(reference))?.userId).toBe(user.id);
		}
		expect((await world.readPurchase(bobs))?.userId).toBeNull();
		expect(await world.purchases.listOf(user.id)).toHaveLength(2);
	});

	it('made with the address of an account is the account’s at once', async () => {
		const world = aWorld();
		const { user } = await world.signIn(ada);
		const reference = await buy(world);
		expect((await world.readPurchase(reference))?.userId).toBe(user.id);
	});

	it('is null for a reference that is unknown', async () => {
		const world = aWorld();
		await buy(world);
		expect(await world.readPurchase(newPurchaseReference(world.random))).toBeNull();
	});

	it.each(['', ' ', 'x', 'A'.repeat(42), 'A'.repeat(44), '../'.repeat(20), '\0'])(
		'is null for the malformed reference %j, which no store gets to see',
		async (reference) => {
			const real = aWorld();
			const world = aWorld({
				deps: { purchases: { ...real.purchases, find: () => Promise.reject(new Error('asked')) } }
			});
			expect(await world.readPurchase(reference)).toBeNull();
		}
	);
});

describe('claiming a purchase', () => {
	it('made with the address of the account makes it theirs, and may be repeated', async () => {
		const world = aWorld();
		const signedIn = await world.signIn(ada);
		const elsewhere = await buy(world, 'new@example.com');
		const { user } = await world.move(signedIn, 'new@example.com');
		expect((await world.readPurchase(elsewhere))?.userId).toBeNull();
		for (let time = 0; time < 2; time += 1) {
			expect(await world.claimPurchase(elsewhere, user)).toBe(true);
			expect((await world.readPurchase(elsewhere))?.userId).toBe(user.id);
		}
	});

	it('by an account with another address is refused, and it stays whose it was', async () => {
		const world = aWorld();
		const { user } = await world.signIn(bob);
		const reference = await buy(world);
		expect(await world.claimPurchase(reference, user)).toBe(false);
		expect((await world.readPurchase(reference))?.userId).toBeNull();
		const { user: adas } = await world.signIn(ada);
		expect(await world.claimPurchase(reference, user)).toBe(false);
		expect((await world.readPurchase(reference))?.userId).toBe(adas.id);
	});

	it('stays the account’s when its address changes, and is not a later owner’s of the old one', async () => {
		const world = aWorld();
		const signedIn = await world.signIn(ada);
		const reference = await buy(world);
		const moved = await world.move(signedIn, 'new@example.com');
		const later = await world.signIn(ada);
		expect(await world.claimPurchase(reference, later.user)).toBe(false);
		expect(await world.claimPurchase(reference, moved.user)).toBe(true);
		expect((await world.readPurchase(reference))?.userId).toBe(moved.user.id);
	});

	it('that nobody made is refused', async () => {
		const world = aWorld();
		const { user } = await world.signIn(ada);
		expect(await world.claimPurchase(newPurchaseReference(world.random), user)).toBe(false);
	});

	it('by a deleted account is refused', async () => {
		const world = aWorld();
		const signedIn = await world.signIn(ada);
		await world.remove(signedIn);
		const reference = await buy(world);
		expect(await world.claimPurchase(reference, signedIn.user)).toBe(false);
		expect((await world.readPurchase(reference))?.userId).toBeNull();
	});
});
