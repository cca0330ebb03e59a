import { describe, expect, it } from 'vitest';
import type { UserId } from '#lib/domain/index.ts';
import { anId, secondsFromStart } from '../../support/domain/builders.ts';
import { aWorld } from '../../support/domain/world.ts';

const image = 'https://example.com/ada.png';

describe('changing a profile', () => {
	it('changes what is given, leaves the rest, and is seen by every session', async () => {
		const world = aWorld();
		const { user, token } = await world.signIn('ada@example.com');
		world.clock.advance(60);
		const named = await world.updateProfile(user.id, { name: 'Ada' });
		expect(named).toEqual({ ...user, name: 'Ada', updatedAt: secondsFromStart(60) });
		const pictured = await world.updateProfile(user.id, { image });
		expect(pictured).toMatchObject({ name: 'Ada', image });
		expect(await world.whoIs(token)).toEqual(pictured);
	});

	it('can take away again what was given', async () => {
		const world = aWorld();
		const { user } = await world.signIn('ada@example.com');
		await world.updateProfile(user.id, { name: 'Ada', image });
		expect(await world.updateProfile(user.id, { name: '', image: null })).toMatchObject({
			name: '',
			image: null
		});
	});

	it('changes nobody else', async () => {
		const world = aWorld();
		const adas = await world.signIn('ada@example.com');
		const bobs = await world.signIn('bob@example.com');
		await world.updateProfile(adas.user.id, { name: 'Ada' });
		expect(await world.whoIs(bobs.token)).toEqual(bobs.user);
	});

	it('is null for an account that is deleted or never was', async () => {
		const world = aWorld();
		const signedIn = await world.signIn('ada@example.com');
		await world.remove(signedIn);
		expect(await world.updateProfile(signedIn.user.id, { name: 'Ada' })).toBeNull();
		expect(await world.updateProfile(anId<UserId>(99), { name: 'Ada' })).toBeNull();
	});
});
