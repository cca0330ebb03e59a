import { expect, it } from 'vitest';
import type { Purchase } from '#lib/domain/purchases/ports.ts';
import type { PurchaseReference } from '#lib/domain/purchases/ports.ts';
import { aPurchase, newPurchaseId, signIn } from './account-examples.ts';
import { raceClaims, raceRecordBesideCreation } from './account-races.ts';
import { ada, at, bob, newUserId, rounds } from '../stores/examples.ts';
import { atOnce } from '../stores/races.ts';
import { storeContract } from '../stores/suite.ts';

export const purchasesContract = storeContract('purchases', (backing) => {
	const port = () => backing.stores.purchases;
	const account = async (email = ada) => (await signIn(backing.stores, email)).user;
	const ownerOf = async (reference: PurchaseReference) => (await port().find(reference))?.userId;
	const recorded = async (but: Parameters<typeof aPurchase>[0] = {}) => {
		const purchase = aPurchase(but);
		await port().record(purchase);
		return purchase;
	};

	it('a purchase of an address without an account is stored unclaimed', async () => {
		const purchase = await recorded();
		await recorded({ email: bob });
		expect(await port().find(purchase.reference)).toEqual(purchase);
		expect(await backing.rows('users')).toBe(0);
	});

	it('a purchase of an address with an account belongs to that account', async () => {
		const { id } = await account();
		await account(bob);
		const purchase = await recorded();
		expect(await port().find(purchase.reference)).toEqual({ ...purchase, userId: id });
	});

	it('a purchase of the address of a deleted account is unclaimed', async () => {
		const { id } = await account();
		await backing.stores.accounts.delete(id, at(2));
		const { reference } = await recorded();
		expect(await ownerOf(reference)).toBeNull();
	});

	it('recording a known reference changes nothing, whatever the other values and accounts', async () => {
		const purchase = await recorded({ email: bob });
		await account();
		await recorded({ ...purchase, id: newPurchaseId(), email: ada, product: 'another' });
		expect(await port().find(purchase.reference)).toEqual(purchase);
		expect(await backing.rows('purchases')).toBe(1);
	});

	it('a purchase id is unique', async () => {
		const { id } = await recorded();
		await expect(recorded({ id })).rejects.toMatchObject({ name: 'StoreUnavailable' });
		expect(await backing.rows('purchases')).toBe(1);
	});

	it('of 20 concurrent recordings of one purchase one is stored and none fails', async () => {
		await account();
		const purchase = aPurchase();
		await atOnce(backing.instances, 20, ({ purchases }) =>
			purchases.record({ ...purchase, id: newPurchaseId() })
		);
		expect(await backing.rows('purchases')).toBe(1);
	});

	it('a purchase recorded while its account is created is never left behind', async () => {
		expect(await raceRecordBesideCreation(backing.instances, rounds(5, 500))).toEqual({
			unlinked: 0,
			failed: 0
		});
	});

	it('the account with its address can claim an unclaimed purchase', async () => {
		const purchase = await recorded({ email: bob });
		const other = await recorded({ email: bob });
		const { id } = await account();
		expect(await port().claim(purchase.reference, { id, email: bob })).toBe(true);
		expect(await port().find(purchase.reference)).toEqual({ ...purchase, userId: id });
		expect(await ownerOf(other.reference)).toBeNull();
	});

	it('an account can claim its own purchase again, also at another address', async () => {
		const { id, email } = await account();
		const { reference } = await recorded();
		expect(await port().claim(reference, { id, email })).toBe(true);
		expect(await port().claim(reference, { id, email: bob })).toBe(true);
		expect(await ownerOf(reference)).toBe(id);
	});

	it('a purchase made with another address cannot be claimed', async () => {
		const { reference } = await recorded({ email: bob });
		const { id, email } = await account();
		expect(await port().claim(reference, { id, email })).toBe(false);
		expect(await ownerOf(reference)).toBeNull();
	});

	it('a purchase of another account cannot be claimed, whatever its address', async () => {
		const adas = await account();
		const { reference } = await recorded();
		const bobs = await account(bob);
		expect(await port().claim(reference, { id: bobs.id, email: ada })).toBe(false);
		expect(await ownerOf(reference)).toBe(adas.id);
	});

	it('a missing or deleted account cannot claim', async () => {
		const { reference } = await recorded({ email: bob });
		const { id } = await account();
		await backing.stores.accounts.delete(id, at(2));
		expect(await port().claim(reference, { id, email: bob })).toBe(false);
		expect(await port().claim(reference, { id: newUserId(), email: bob })).toBe(false);
		expect(await ownerOf(reference)).toBeNull();
	});

	it('of 10 accounts that concurrently claim one purchase exactly one gets it', async () => {
		for (let round = 0; round < rounds(1, 50); round += 1) {
			expect(await raceClaims(backing.instances, 10)).toEqual({ claimed: 1, failed: 0 });
		}
	});

	it('all purchases of an account are listed, newest first and then by id, and no others', async () => {
		const { id } = await account();
		await recorded({ email: bob });
		const bought: Purchase[] = [];
		for (const second of [10, 30, 20, 20]) bought.push(await recorded({ createdAt: at(second) }));
		const [old, newest, first, second] = bought.map((purchase) => ({ ...purchase, userId: id }));
		expect(await port().listOf(id)).toEqual([newest, second, first, old]);
	});
});
