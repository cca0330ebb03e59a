import { describe, expect, it } from 'vitest';
import { defaultPolicy } from '#lib/domain/policy.ts';
import { aFixture, wrong, type Fixture } from '../support/domain/fixture.ts';

const ada = 'ada@example.com';
const minute = 60;
const day = 24 * 60 * minute;

/** Enters wrong codes this often in a row, with five attempts a code. */
const guessWrong = async (fixture: Fixture, times: number): Promise<void> => {
	for (let guessed = 0; guessed < times; guessed += 5) {
		fixture.clock.advance(16 * minute);
		const code = await fixture.sendTo(ada);
		for (let guess = 0; guess < 5; guess += 1) await fixture.enterCode(ada, wrong(code));
	}
};

/** Whether the right code still signs in after this many wrong codes at it. */
const signsInAfter = async (fixture: Fixture, misses: number): Promise<boolean> => {
	fixture.clock.advance(16 * minute);
	const code = await fixture.sendTo(ada);
	for (let guess = 0; guess < misses; guess += 1) await fixture.enterCode(ada, wrong(code));
	return (await fixture.enterCode(ada, code)).ok;
};

// The numbers are written out: they are what the product promises, whatever the policy says.
describe('what the default policy amounts to', () => {
	it('A01/A06: five attempts a code, one for an address under attack, and far fewer than a hundred in a row', async () => {
		expect(await signsInAfter(aFixture(), 4)).toBe(true);
		expect(await signsInAfter(aFixture(), 5)).toBe(false);
		// NIST SP 800-63B-4 3.2.2 allows at most 100 wrong codes in a row.
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

	it('T05: twenty devices of an account, five accounts on a device, for 400 days', () => {
		expect(defaultPolicy.devices).toEqual({ perAccount: 20, accounts: 5, lifetime: 400 * day });
	});
});
