import { expect, test } from 'vitest';
import type { loadPurchases } from '#lib/adapters/web/purchases/account-section.ts';
import type { loadSignIns } from '#lib/adapters/web/sessions/account-section.ts';
import { newAddress, signIn } from '../../support/web/sign-in.ts';
import { aSite, type Site } from '../../support/web/site.ts';
import type { Visitor } from '../../support/web/visitor.ts';

const signInsOf = async (visitor: Visitor) =>
	(await visitor.open('/app')).data['signIns'] as Awaited<ReturnType<typeof loadSignIns>>;
const purchasesOf = async (visitor: Visitor) =>
	(await visitor.open('/app')).data['purchases'] as Awaited<ReturnType<typeof loadPurchases>>;

/** One account on so many devices, the oldest sign-in first. */
const onDevices = async (
	site: Site,
	count: number
): Promise<{ email: string; devices: readonly Visitor[] }> => {
	const email = newAddress();
	const devices: Visitor[] = [];
	for (let number = 0; number < count; number += 1) {
		devices.push((await signIn(site, email)).visitor);
		site.clock.advance(8 * 60);
	}
	return { email, devices };
};

test('the page lists the newest sign-ins and marks the current one', async () => {
	const site = await aSite();
	const { devices } = await onDevices(site, 3);
	const newest = [...site.tables.sessions.values()].map(({ createdAt }) => createdAt).toReversed();
	const signIns = await signInsOf(devices[1] as Visitor);
	expect(signIns.map(({ signedInAt }) => signedInAt)).toEqual(newest);
	expect(signIns.map(({ current }) => current)).toEqual([false, true, false]);
});

test('of many sign-ins it lists five, and always the current one', async () => {
	const site = await aSite();
	const { devices } = await onDevices(site, 7);
	const marks = async (place: number): Promise<readonly boolean[]> =>
		(await signInsOf(devices[place] as Visitor)).map(({ current }) => current);
	expect(await marks(6)).toEqual([true, false, false, false, false]);
	expect(await marks(0)).toEqual([false, false, false, false, false, true]);
});

test('sign-ins are ordered by their time, not by the last use of the session', async () => {
	const site = await aSite();
	const { devices } = await onDevices(site, 2);
	// A day later, the next request refreshes the older session.
	site.clock.advance(25 * 60 * 60);
	const signIns = await signInsOf(devices[0] as Visitor);
	expect(signIns.map(({ current }) => current)).toEqual([false, true]);
	expect(signIns[1]?.lastActiveAt).toEqual(site.clock.now());
});

test('it lists the purchases of the account, newest first, and those of nobody else', async () => {
	const site = await aSite();
	const { email, devices } = await onDevices(site, 1);
	const [visitor] = devices as [Visitor];
	expect(await purchasesOf(visitor)).toEqual([]);
	await site.app.recordPurchase({ email, product: 'A book' });
	site.clock.advance(60);
	await site.app.recordPurchase({ email, product: 'A map' });
	await site.app.recordPurchase({ email: newAddress('bob'), product: 'A lamp' });
	const purchases = await purchasesOf(visitor);
	expect(purchases).toEqual([
		{ id: expect.any(String), product: 'A map', status: 'paid', boughtAt: site.clock.now() },
		{ id: expect.any(String), product: 'A book', status: 'paid', boughtAt: expect.any(Date) }
	]);
});
