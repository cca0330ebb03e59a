import { describe, expect, it } from 'vitest';
import { memoryStores } from '#lib/adapters/memory/stores.ts';
import { memoryTables } from '#lib/adapters/memory/tables.ts';
import type { UserId } from '#lib/domain/index.ts';
import { anId, secondsFromStart } from '../../support/domain/builders.ts';
import { aFixture } from '../../support/domain/fixture.ts';

const ada = 'ada@example.com';

describe('agreeing to marketing', () => {
	it('is stored with its time', async () => {
		const fixture = aFixture();
		const { user } = await fixture.signIn(ada);
		fixture.clock.advance(60);
		expect(await fixture.grantConsent(user.id)).toBe(true);
		expect(await fixture.accounts.dataOf(user.id)).toEqual({
			userId: user.id,
			marketingOptIn: true,
			marketingOptInAt: secondsFromStart(60),
			isTrialEligible: true
		});
	});

	it('keeps the first time when it is repeated', async () => {
		const fixture = aFixture();
		const { user } = await fixture.signIn(ada);
		await fixture.grantConsent(user.id);
		const first = await fixture.accounts.dataOf(user.id);
		fixture.clock.advance(60);
		expect(await fixture.grantConsent(user.id)).toBe(true);
		expect(await fixture.accounts.dataOf(user.id)).toEqual(first);
	});

	it('works for an account without data', async () => {
		const tables = memoryTables();
		const fixture = aFixture({ deps: memoryStores(tables) });
		const { user } = await fixture.signIn(ada);
		tables.userData.clear();
		expect(await fixture.grantConsent(user.id)).toBe(true);
		expect(await fixture.accounts.dataOf(user.id)).toMatchObject({
			marketingOptIn: true,
			marketingOptInAt: secondsFromStart(0)
		});
	});

	it('changes no other account', async () => {
		const fixture = aFixture();
		const adas = await fixture.signIn(ada);
		const bobs = await fixture.signIn('bob@example.com');
		await fixture.grantConsent(adas.user.id);
		expect(await fixture.accounts.dataOf(bobs.user.id)).toMatchObject({ marketingOptIn: false });
	});

	it('is refused for a deleted or missing account, and stored nowhere', async () => {
		const fixture = aFixture();
		const signedIn = await fixture.signIn(ada);
		await fixture.remove(signedIn);
		expect(await fixture.grantConsent(signedIn.user.id)).toBe(false);
		expect(await fixture.accounts.dataOf(signedIn.user.id)).toMatchObject({
			marketingOptIn: false
		});
		expect(await fixture.grantConsent(anId<UserId>(99))).toBe(false);
		expect(await fixture.accounts.dataOf(anId<UserId>(99))).toBeNull();
	});
});
