import { describe, expect, it } from 'vitest';
import type { UserId } from '#lib/domain/ids.ts';
import { type UnsubscribeToken } from '#lib/domain/secret.ts';
import { anId, anOccasion } from '../../support/domain/builders.ts';
import { aFixture, aSigner, errorOf, type Fixture } from '../../support/domain/fixture.ts';

const ada = 'ada@example.com';
const unknown = { code: 'unknown_unsubscribe_link' };

/** Somebody who consented, and the token of their link. */
const aSubscriber = async (fixture: Fixture) => {
	const somebody = await fixture.signIn(ada);
	await fixture.grantConsent(somebody.user.id, anOccasion());
	return { somebody, token: await tokenOf(fixture, somebody.user) };
};

const tokenOf = async (fixture: Fixture, user: { id: UserId }): Promise<UnsubscribeToken> => {
	const token = await fixture.issueUnsubscribeToken(user);
	if (token === null) throw new Error('the account is gone');
	return token;
};

const press = (fixture: Fixture, token: UnsubscribeToken) =>
	fixture.withdrawByLink(token, anOccasion({ place: '/unsubscribe/[token]' }));

describe('an unsubscribe link', () => {
	it('is always the same for an account, and another for each account', async () => {
		const fixture = aFixture();
		const { somebody, token } = await aSubscriber(fixture);
		expect(await tokenOf(fixture, somebody.user)).toBe(token);
		expect(await tokenOf(fixture, (await fixture.signIn('bob@example.com')).user)).not.toBe(token);
	});

	it('N02 works after its key is gone, also without a previous secret, beside links of the new key', async () => {
		const before = aFixture();
		const { somebody, token } = await aSubscriber(before);
		const after = aFixture({ ...before.stores, unsubscribeSigner: aSigner('new key') });
		const newer = await tokenOf(after, somebody.user);
		expect(newer).not.toBe(token);
		expect((await press(after, token)).ok).toBe(true);
		expect(await after.readUnsubscribeLink(newer)).toMatchObject({ isSubscribed: false });
	});

	it('is not made for a missing account', async () => {
		expect(await aFixture().issueUnsubscribeToken({ id: anId<UserId>(99) })).toBeNull();
	});

	it('is no other secret: not a signature of another kind, nor another account’s', async () => {
		const fixture = aFixture();
		const { somebody, token } = await aSubscriber(fixture);
		const { id } = somebody.user;
		const forged = [
			fixture.changeLinkSigner.sign(`unsubscribe ${id}`),
			fixture.unsubscribeSigner.sign(id)
		];
		for (const one of [...forged, somebody.token, `${token.slice(0, -1)}A`]) {
			expect(errorOf(await press(fixture, one as string as UnsubscribeToken))).toEqual(unknown);
		}
		expect(await fixture.stores.consents.of(id)).toMatchObject({ marketingOptIn: true });
	});
});
