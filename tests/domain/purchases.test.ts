import { describe, expect, it } from 'vitest';
import type { PurchaseReference } from '#lib/domain/purchases/ports.ts';
import { secondsFromStart } from '../support/domain/builders.ts';
import { aFixture, errorOf, type Fixture, valueOf } from '../support/domain/fixture.ts';

const ada = 'ada@example.com';

const buy = async (fixture: Fixture, email = ada): Promise<PurchaseReference> =>
	valueOf(await fixture.recordPurchase({ email, product: 'book' })).reference;

describe('a purchase', () => {
	it('is stored with the canonical address and a reference that cannot be guessed', async () => {
		const fixture = aFixture();
		fixture.clock.advance(60);
		const recorded = await fixture.recordPurchase({ email: ' Ada@Example.COM ', product: 'book' });
		expect(recorded).toEqual({
			ok: true,
			value: { reference: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/), email: ada }
		});
		const { reference } = valueOf(recorded);
		expect(await fixture.readPurchase(reference)).toEqual({
			id: expect.any(String),
			email: ada,
			userId: null,
			reference,
			product: 'book',
			status: 'paid',
			createdAt: secondsFromStart(60)
		});
		expect(await buy(fixture)).not.toBe(reference);
	});

	it('with an invalid address is refused', async () => {
		const recorded = await aFixture().recordPurchase({ email: 'ada', product: 'book' });
		expect(errorOf(recorded)).toEqual({ code: 'invalid_email' });
	});

	it.each(['', ' ', 'x', 'A'.repeat(42), 'A'.repeat(44), '../'.repeat(20), '\0'])(
		'is null for the malformed reference %j, which never reaches a store',
		async (reference) => {
			const real = aFixture();
			const fixture = aFixture({
				purchases: { ...real.purchases, find: () => Promise.reject(new Error('asked')) }
			});
			expect(await fixture.readPurchase(reference)).toBeNull();
		}
	);
});
