import { expect, test } from 'vitest';
import type { loadPurchases } from '#lib/adapters/web/purchases/purchases.ts';
import { aSignedInSite, newAddress } from '../../support/web/sign-in.ts';
import type { Visitor } from '../../support/web/visitor.ts';

const purchasesOf = async (visitor: Visitor) =>
	(await visitor.open('/app')).data['purchases'] as Awaited<ReturnType<typeof loadPurchases>>;

test('it lists the purchases of the account, newest first, and those of nobody else', async () => {
	const { site, email, visitor } = await aSignedInSite();
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
