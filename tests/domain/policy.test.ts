import { describe, expect, it } from 'vitest';
import {
	aWorld,
	errorOf,
	restoreTokenIn,
	valueOf,
	wrong,
	type Somebody,
	type World
} from '../support/domain/world.ts';

const ada = 'ada@example.com';
const bob = 'bob@example.com';
const minute = 60;
const day = 24 * 60 * minute;

/** Guesses wrong this often in a row, with five guesses a code. */
const guessWrong = async (world: World, times: number): Promise<void> => {
	for (let guessed = 0; guessed < times; guessed += 5) {
		world.clock.advance(16 * minute);
		const code = await world.sendTo(ada);
		for (let guess = 0; guess < 5; guess += 1) await world.guess(ada, wrong(code));
	}
};

/** Whether the right code still signs in after this many wrong guesses at it. */
const signsInAfter = async (world: World, misses: number): Promise<boolean> => {
	world.clock.advance(16 * minute);
	const code = await world.sendTo(ada);
	for (let guess = 0; guess < misses; guess += 1) await world.guess(ada, wrong(code));
	return (await world.guess(ada, code)).ok;
};

/** A fresh world with Ada signed in, some seconds after her sign-in. */
const adaAfter = async (seconds: number): Promise<{ world: World; signedIn: Somebody }> => {
	const world = aWorld({ reauthentication: true });
	const signedIn = await world.signIn(ada);
	world.clock.advance(seconds);
	return { world, signedIn };
};

// The numbers are written out: they are what the product promises, whatever the policy says.
describe('what the default policy amounts to', () => {
	it('A12: no code works after ten minutes (ASVS 6.5.5)', async () => {
		for (const [seconds, ok] of [
			[10 * minute - 1, true],
			[10 * minute, false]
		] as const) {
			const world = aWorld();
			const code = await world.sendTo(ada);
			world.clock.advance(seconds);
			expect((await world.guess(ada, code)).ok).toBe(ok);
		}
	});

	it('A01/A06: five guesses a code, one under attack, and well before a hundred in a row', async () => {
		expect(await signsInAfter(aWorld(), 4)).toBe(true);
		expect(await signsInAfter(aWorld(), 5)).toBe(false);
		// NIST SP 800-63B-4 3.2.2 allows at most 100 wrong guesses in a row.
		for (const [before, misses, ok] of [
			[45, 4, true],
			[50, 0, true],
			[50, 1, false]
		] as const) {
			const world = aWorld();
			await guessWrong(world, before);
			expect(await signsInAfter(world, misses)).toBe(ok);
		}
	});

	it('B03: five sends in fifteen minutes', async () => {
		const world = aWorld();
		for (let send = 0; send < 5; send += 1) await world.sendTo(ada);
		expect(errorOf(await world.ask(ada))).toEqual({
			code: 'too_many_sends',
			retryAfter: 15 * minute
		});
		world.clock.advance(15 * minute - 1);
		expect(errorOf(await world.ask(ada))).toEqual({ code: 'too_many_sends', retryAfter: 1 });
		world.clock.advance(1);
		expect(await world.sendTo(ada)).toMatch(/^\d{6}$/);
	});

	it('E10/E11: sixty days, refreshed daily', async () => {
		const world = aWorld();
		const { token } = await world.signIn(ada);
		const refreshes = async (seconds: number): Promise<boolean | undefined> => {
			world.clock.advance(seconds);
			return (await world.readSession({ token, mayRefresh: true }))?.refreshed;
		};
		expect([await refreshes(day - 1), await refreshes(1)]).toEqual([false, true]);
		world.clock.advance(60 * day - 1);
		expect(await world.whoIs(token)).not.toBeNull();
		world.clock.advance(1);
		expect(await world.whoIs(token)).toBeNull();
	});

	it('K12/A12: a link to a new address lives an hour, and fifteen minutes after its sign-in a session must prove the current one', async () => {
		const young = await adaAfter(15 * minute - 1);
		const link = await young.world.linkToMove(young.signedIn, bob);
		young.world.clock.advance(60 * minute - 1);
		expect(valueOf(await young.world.moveByLink(young.signedIn, link)).user.email).toBe(bob);

		const late = await adaAfter(0);
		const expired = await late.world.linkToMove(late.signedIn, bob);
		late.world.clock.advance(60 * minute);
		expect((await late.world.moveByLink(late.signedIn, expired)).ok).toBe(false);

		const stale = await adaAfter(15 * minute);
		const asked = await stale.world.askToMove(stale.signedIn, bob, 'link');
		expect(errorOf(asked)).toEqual({ code: 'session_not_fresh' });
	});

	it('keeps a deleted account thirty days, and a restore grant ten minutes', async () => {
		const world = aWorld();
		await world.remove(await world.signIn(ada));
		world.clock.advance(30 * day - 1);
		expect(await world.purgeAccounts()).toBe(0);
		const restoreToken = restoreTokenIn(
			await world.guess(ada, await world.sendTo(ada), { ifDeleted: 'offer' })
		);
		world.clock.advance(10 * minute - 1);
		expect(await world.readRestoreGrant(restoreToken)).not.toBeNull();
		world.clock.advance(1);
		expect(await world.readRestoreGrant(restoreToken)).toBeNull();
	});

	it('purges a deleted account after thirty days', async () => {
		const world = aWorld();
		await world.remove(await world.signIn(ada));
		world.clock.advance(30 * day);
		expect(await world.purgeAccounts()).toBe(1);
	});

	it('offers to send another code after thirty seconds', async () => {
		const world = aWorld();
		const browser = world.aBrowser();
		await world.sendTo(ada, browser);
		const resendAt = (await world.readPendingCode(browser))?.resendAt.getTime() ?? 0;
		expect(resendAt - world.clock.now().getTime()).toBe(30_000);
	});
});
