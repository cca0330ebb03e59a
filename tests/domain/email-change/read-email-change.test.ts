import { describe, expect, it } from 'vitest';
import { newLinkToken } from '#lib/domain/index.ts';
import { secondsFromStart } from '../../support/domain/builders.ts';
import { aWorld, errorOf, valueOf } from '../../support/domain/world.ts';

const ada = 'ada@example.com';
const fresh = 'new@example.com';

describe('the change of address that waits', () => {
	it('is none before one was asked for', async () => {
		const world = aWorld();
		const { user } = await world.signIn(ada);
		await world.askToMove(await world.signIn('bob@example.com'), fresh);
		expect(await world.readEmailChange(user)).toBeNull();
	});

	it.each([
		['code', 600],
		['link', 3600]
	] as const)('by %s, is shown until its time is over after %i seconds', async (way, lifetime) => {
		const world = aWorld();
		const signedIn = await world.signIn(ada);
		const { user } = signedIn;
		await world.askToMove(signedIn, fresh, way);
		const shown = { to: fresh, way, expiresAt: secondsFromStart(lifetime) };
		expect(await world.readEmailChange(user)).toEqual(shown);
		world.clock.advance(lifetime - 1);
		expect(await world.readEmailChange(user)).toEqual(shown);
		world.clock.advance(1);
		expect(await world.readEmailChange(user)).toBeNull();
	});

	it('is the one asked for last, by whichever way', async () => {
		const world = aWorld();
		const signedIn = await world.signIn(ada);
		const { user } = signedIn;
		for (const [way, to] of [
			['code', fresh],
			['link', 'second@example.com'],
			['code', 'third@example.com']
		] as const) {
			world.clock.advance(1);
			await world.askToMove(signedIn, to, way);
			expect(await world.readEmailChange(user)).toMatchObject({ to, way });
		}
	});

	it('is none once it was confirmed', async () => {
		const world = aWorld();
		const moved = await world.move(await world.signIn(ada), fresh);
		expect(await world.readEmailChange(moved.user)).toBeNull();
	});

	it('costs nothing to read', async () => {
		const world = aWorld();
		const signedIn = await world.signIn(ada);
		const code = await world.codeToMove(signedIn, fresh);
		for (let time = 0; time < 10; time += 1) await world.readEmailChange(signedIn.user);
		expect(errorOf(await world.moveByCode(signedIn, fresh, code))).toBeNull();
	});
});

describe('opening a link to a new address', () => {
	it('K01: shows where it leads and spends nothing, however often', async () => {
		const world = aWorld();
		const signedIn = await world.signIn(ada);
		const link = await world.linkToMove(signedIn, fresh);
		for (let time = 0; time < 20; time += 1) {
			expect(await world.readChangeLink(signedIn.user, link)).toEqual({
				to: fresh,
				way: 'link',
				expiresAt: secondsFromStart(3600)
			});
		}
		expect(await world.whoIs(signedIn.token)).toEqual(signedIn.user);
		expect(world.notices.map(({ stage }) => stage)).toEqual(['requested']);
		expect(errorOf(await world.moveByLink(signedIn, link))).toBeNull();
	});

	it('A12: shows nothing from 3600 seconds on', async () => {
		const world = aWorld();
		const signedIn = await world.signIn(ada);
		const { user } = signedIn;
		const link = await world.linkToMove(signedIn, fresh);
		world.clock.advance(3599);
		expect(await world.readChangeLink(user, link)).not.toBeNull();
		world.clock.advance(1);
		expect(await world.readChangeLink(user, link)).toBeNull();
	});

	it('K03: shows nothing to another account', async () => {
		const world = aWorld();
		const adas = await world.signIn(ada);
		const bobs = await world.signIn('bob@example.com');
		const link = await world.linkToMove(adas, fresh);
		expect(await world.readChangeLink(bobs.user, link)).toBeNull();
		await world.linkToMove(bobs, fresh);
		expect(await world.readChangeLink(bobs.user, link)).toBeNull();
	});

	it('shows nothing for one that nobody sent, that was replaced, or that was used', async () => {
		const world = aWorld();
		const signedIn = await world.signIn(ada);
		const first = await world.linkToMove(signedIn, fresh);
		const second = await world.linkToMove(signedIn, 'other@example.com');
		const { user } = signedIn;
		expect(await world.readChangeLink(user, newLinkToken(world.random))).toBeNull();
		expect(await world.readChangeLink(user, first)).toBeNull();
		const moved = valueOf(await world.moveByLink(signedIn, second));
		expect(await world.readChangeLink(user, second)).toBeNull();
		expect(await world.readChangeLink(moved.user, second)).toBeNull();
	});

	it('K09: shows nothing once the account has another address', async () => {
		const world = aWorld();
		const signedIn = await world.signIn(ada);
		const link = await world.linkToMove(signedIn, fresh);
		const moved = await world.move(signedIn, 'other@example.com');
		expect(await world.readChangeLink(moved.user, link)).toBeNull();
		expect(await world.readChangeLink(signedIn.user, link)).toBeNull();
	});
});
