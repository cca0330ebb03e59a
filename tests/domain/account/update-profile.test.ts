import { describe, expect, it } from 'vitest';
import type { UserId } from '#lib/domain/ids.ts';
import { aName, anId, secondsFromStart } from '../../support/domain/builders.ts';
import { aSignedIn } from '../../support/domain/fixture.ts';

const image = 'https://example.com/ada.png';

describe('changing a profile', () => {
	it('changes the given fields, leaves the rest, and is visible in every session', async () => {
		const { fixture, user, token } = await aSignedIn('ada@example.com');
		fixture.clock.advance(60);
		const named = await fixture.updateProfile(user.id, { name: aName('Ada') });
		expect(named).toEqual({ ...user, name: 'Ada', updatedAt: secondsFromStart(60) });
		const pictured = await fixture.updateProfile(user.id, { image });
		expect(pictured).toMatchObject({ name: 'Ada', image });
		expect(await fixture.whoIs(token)).toEqual(pictured);
	});

	it('is null for a deleted or missing account', async () => {
		const { fixture, signedIn } = await aSignedIn('ada@example.com');
		await fixture.remove(signedIn);
		expect(await fixture.updateProfile(signedIn.user.id, { name: aName('Ada') })).toBeNull();
		expect(await fixture.updateProfile(anId<UserId>(99), { name: aName('Ada') })).toBeNull();
	});
});
