import { expect, test } from 'vitest';
import type { loadPurchases } from '#lib/adapters/web/purchases/app-section.ts';
import { aSignedInSite, newAddress } from '../../support/web/sign-in.ts';
import type { Visitor } from '../../support/web/visitor.ts';

const purchasesOf = async (visitor: Visitor) =>
	(await visitor.open('/app')).data['purchases'] as Awaited<ReturnType<typeof loadPurchases>>;

test('a page has what its account may see, no token, and a subscription if the service answers', async () => {
	const plans = new Map([['active', { status: 'active', plan: 'Pro', renewsAt: null } as const]]);
	let plan = 'active';
	const of = async () => plans.get(plan) ?? Promise.reject(new Error('no payment service'));
	const { site, email, visitor } = await aSignedInSite({}, { subscriptions: { of } });
	const [session] = site.tables.sessions.values();
	const { id, expiresAt } = session ?? expect.fail();
	const own = {
		user: { id: site.userOf(email).id, email, name: '', image: null },
		session: { id, expiresAt },
		subscription: plans.get('active')
	};
	const shown = async (by = visitor) => {
		const { user, session, subscription } = (await by.open('/')).data;
		return { user, session, subscription };
	};
	expect(await shown()).toEqual(own);
	plan = 'unavailable';
	expect(await shown()).toEqual({ ...own, subscription: { status: 'unknown' } });
	expect(site.log).toContainEqual(expect.objectContaining({ name: 'fault' }));
	const nobody = { user: null, session: null, subscription: { status: 'none' } };
	expect(await shown(site.visitor())).toEqual(nobody);
});

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
