import { describe, expect, it } from 'vitest';
import { defaultPolicy } from '#lib/domain/policy.ts';
import {
	aFixture,
	errorOf,
	restoreTokenIn,
	valueOf,
	wrong,
	type Somebody,
	type Fixture
} from '../support/domain/fixture.ts';

const ada = 'ada@example.com';
const bob = 'bob@example.com';
const minute = 60;
const day = 24 * 60 * minute;

/** Enters wrong codes this often in a row, with five guesses a code. */
const guessWrong = async (fixture: Fixture, times: number): Promise<void> => {
	for (let guessed = 0; guessed < times; guessed += 5) {
		fixture.clock.advance(16 * minute);
		const code = await fixture.sendTo(ada);
		for (let guess = 0; guess < 5; guess += 1) await fixture.guess(ada, wrong(code));
	}
};

/** Whether the right code still signs in after this many wrong guesses at it. */
const signsInAfter = async (fixture: Fixture, misses: number): Promise<boolean> => {
	fixture.clock.advance(16 * minute);
	const code = await fixture.sendTo(ada);
	for (let guess = 0; guess < misses; guess += 1) await fixture.guess(ada, wrong(code));
	return (await fixture.guess(ada, code)).ok;
};

/** A new fixture with Ada signed in, some seconds after her sign-in. */
const adaAfter = async (seconds: number): Promise<{ fixture: Fixture; signedIn: Somebody }> => {
	const fixture = aFixture({ reauthentication: true });
	const signedIn = await fixture.signIn(ada);
	fixture.clock.advance(seconds);
	return { fixture, signedIn };
};

// The numbers are written out: they are what the product promises, whatever the policy says.
describe('what the default policy amounts to', () => {
	it('A12: no code works after ten minutes (ASVS 6.5.5)', async () => {
		for (const [seconds, ok] of [
			[10 * minute - 1, true],
			[10 * minute, false]
		] as const) {
			const fixture = aFixture();
			const code = await fixture.sendTo(ada);
			fixture.clock.advance(seconds);
			expect((await fixture.guess(ada, code)).ok).toBe(ok);
		}
	});

	it('A01/A06: five guesses a code, one for an address under attack, and far fewer than a hundred in a row', async () => {
		expect(await signsInAfter(aFixture(), 4)).toBe(true);
		expect(await signsInAfter(aFixture(), 5)).toBe(false);
		// NIST SP 800-63B-4 3.2.2 allows at most 100 wrong guesses in a row.
		for (const [before, misses, ok] of [
			[45, 4, true],
			[50, 0, true],
			[50, 1, false]
		] as const) {
			const fixture = aFixture();
			await guessWrong(fixture, before);
			expect(await signsInAfter(fixture, misses)).toBe(ok);
		}
	});

	it('a proof is valid for five minutes', () => {
		expect(defaultPolicy.proof.lifetime).toBe(5 * minute);
	});

	it('T05: twenty devices of an account, five accounts on a device, for 400 days', () => {
		expect(defaultPolicy.devices).toEqual({ perAccount: 20, accounts: 5, lifetime: 400 * day });
	});

	it('B03: five sends in fifteen minutes', async () => {
		const fixture = aFixture();
		for (let send = 0; send < 5; send += 1) await fixture.sendTo(ada);
		expect(errorOf(await fixture.request(ada))).toEqual({
			code: 'too_many_sends',
			retryAfter: 15 * minute,
			isKnown: false
		});
		fixture.clock.advance(15 * minute - 1);
		expect(errorOf(await fixture.request(ada))).toEqual({
			code: 'too_many_sends',
			retryAfter: 1,
			isKnown: false
		});
		fixture.clock.advance(1);
		expect(await fixture.sendTo(ada)).toMatch(/^\d{6}$/);
	});

	it('E10/E11: sixty days, refreshed daily', async () => {
		const fixture = aFixture();
		const { token } = await fixture.signIn(ada);
		const refreshes = async (seconds: number): Promise<boolean | undefined> => {
			fixture.clock.advance(seconds);
			return (await fixture.readSession({ token, mayRefresh: true }))?.refreshed;
		};
		expect([await refreshes(day - 1), await refreshes(1)]).toEqual([false, true]);
		fixture.clock.advance(60 * day - 1);
		expect(await fixture.whoIs(token)).not.toBeNull();
		fixture.clock.advance(1);
		expect(await fixture.whoIs(token)).toBeNull();
	});

	it('K12/A12: a link to a new address lives an hour, and fifteen minutes after its sign-in a session must prove the current one', async () => {
		const young = await adaAfter(15 * minute - 1);
		const link = await young.fixture.linkToMove(young.signedIn, bob);
		young.fixture.clock.advance(60 * minute - 1);
		expect(valueOf(await young.fixture.moveByLink(young.signedIn, link)).user.email).toBe(bob);

		const late = await adaAfter(0);
		const expired = await late.fixture.linkToMove(late.signedIn, bob);
		late.fixture.clock.advance(60 * minute);
		expect((await late.fixture.moveByLink(late.signedIn, expired)).ok).toBe(false);

		const stale = await adaAfter(15 * minute);
		const requested = await stale.fixture.askToMove(stale.signedIn, bob, 'link');
		expect(errorOf(requested)).toEqual({ code: 'session_not_fresh' });
	});

	it('keeps a deleted account thirty days, and a restore grant ten minutes', async () => {
		const fixture = aFixture();
		await fixture.remove(await fixture.signIn(ada));
		fixture.clock.advance(30 * day - 1);
		expect(await fixture.purgeAccounts()).toBe(0);
		const restoreToken = restoreTokenIn(
			await fixture.guess(ada, await fixture.sendTo(ada), { ifDeleted: 'offer' })
		);
		fixture.clock.advance(10 * minute - 1);
		expect(await fixture.readRestoreGrant(restoreToken)).not.toBeNull();
		fixture.clock.advance(1);
		expect(await fixture.readRestoreGrant(restoreToken)).toBeNull();
	});

	it('purges a deleted account after thirty days', async () => {
		const fixture = aFixture();
		await fixture.remove(await fixture.signIn(ada));
		fixture.clock.advance(30 * day);
		expect(await fixture.purgeAccounts()).toBe(1);
	});

	it('offers to send another code after thirty seconds', async () => {
		const fixture = aFixture();
		const browser = fixture.aBrowser();
		await fixture.sendTo(ada, browser);
		const resendAt = (await fixture.readPendingCode(browser))?.resendAt.getTime() ?? 0;
		expect(resendAt - fixture.clock.now().getTime()).toBe(30_000);
	});
});
