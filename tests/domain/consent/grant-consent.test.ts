import { describe, expect, it } from 'vitest';
import { memoryStores } from '#lib/adapters/memory/stores.ts';
import { memoryTables } from '#lib/adapters/memory/tables.ts';
import type { UserId } from '#lib/domain/index.ts';
import { anId, secondsFromStart } from '../../support/domain/builders.ts';
import { aWorld } from '../../support/domain/world.ts';

const ada = 'ada@example.com';

describe('agreeing to marketing', () => {
	it('is noted with its time', async () => {
		const world = aWorld();
		const { user } = await world.signIn(ada);
		world.clock.advance(60);
		expect(await world.grantConsent(user.id)).toBe(true);
		expect(await world.accounts.dataOf(user.id)).toEqual({
			userId: user.id,
			marketingOptIn: true,
			marketingOptInAt: secondsFromStart(60),
			isTrialEligible: true
		});
	});

	it('keeps the first time when it is done again', async () => {
		const world = aWorld();
		const { user } = await world.signIn(ada);
		await world.grantConsent(user.id);
		const first = await world.accounts.dataOf(user.id);
		world.clock.advance(60);
		expect(await world.grantConsent(user.id)).toBe(true);
		expect(await world.accounts.dataOf(user.id)).toEqual(first);
	});

	it('works for an account that nothing is kept beside', async () => {
		const tables = memoryTables();
		const world = aWorld({ deps: memoryStores(tables) });
		const { user } = await world.signIn(ada);
		tables.userData.clear();
		expect(await world.grantConsent(user.id)).toBe(true);
		expect(await world.accounts.dataOf(user.id)).toMatchObject({
			marketingOptIn: true,
			marketingOptInAt: secondsFromStart(0)
		});
	});

	it('changes nobody else', async () => {
		const world = aWorld();
		const adas = await world.signIn(ada);
		const bobs = await world.signIn('bob@example.com');
		await world.grantConsent(adas.user.id);
		expect(await world.accounts.dataOf(bobs.user.id)).toMatchObject({ marketingOptIn: false });
	});

	it('is refused for an account that is deleted or never was, and noted nowhere', async () => {
		const world = aWorld();
		const signedIn = await world.signIn(ada);
		await world.remove(signedIn);
		expect(await world.grantConsent(signedIn.user.id)).toBe(false);
		expect(await world.accounts.dataOf(signedIn.user.id)).toMatchObject({ marketingOptIn: false });
		expect(await world.grantConsent(anId<UserId>(99))).toBe(false);
		expect(await world.accounts.dataOf(anId<UserId>(99))).toBeNull();
	});
});
