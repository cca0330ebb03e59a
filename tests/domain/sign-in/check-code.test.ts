import { describe, expect, it } from 'vitest';
import { aNetwork } from '../../support/domain/builders.ts';
import { aFixture, errorOf, wrong, type Fixture } from '../../support/domain/fixture.ts';

const ada = 'ada@example.com';
const notACode = { code: 'invalid_code', attemptsLeft: null };

const check = async (
	fixture: Fixture,
	code: string,
	rest: Partial<Parameters<Fixture['checkCode']>[0]> = {}
): ReturnType<Fixture['checkCode']> =>
	fixture.checkCode({
		email: ada,
		purpose: 'sign_in',
		code,
		browser: null,
		network: aNetwork(),
		...rest
	});

describe('checking a code', () => {
	it('accepts a right code and keeps it usable', async () => {
		const fixture = aFixture();
		const code = await fixture.sendTo(ada);
		expect(await check(fixture, code)).toEqual({ ok: true, value: null });
		expect((await fixture.guess(ada, code)).ok).toBe(true);
		expect(errorOf(await check(fixture, code))).toEqual(notACode);
	});

	it('A20: costs the same five attempts as entering it, right or wrong', async () => {
		const fixture = aFixture();
		const browser = fixture.aBrowser();
		const code = await fixture.sendTo(ada, browser);
		const left = async (): Promise<number | undefined> =>
			(await fixture.readPendingCode(browser))?.attemptsLeft;

		expect(errorOf(await check(fixture, wrong(code), { browser }))).toEqual({
			code: 'invalid_code',
			attemptsLeft: 4
		});
		expect(errorOf(await check(fixture, code, { browser }))).toBeNull();
		expect(await left()).toBe(3);
		expect(errorOf(await fixture.guess(ada, wrong(code), { browser }))).toEqual({
			code: 'invalid_code',
			attemptsLeft: 2
		});
		expect(errorOf(await check(fixture, wrong(code), { browser }))).toEqual({
			code: 'invalid_code',
			attemptsLeft: 1
		});
		expect(errorOf(await check(fixture, wrong(code), { browser }))).toEqual({
			code: 'invalid_code',
			attemptsLeft: 0
		});
		expect(errorOf(await check(fixture, code, { browser }))).toEqual({ code: 'too_many_attempts' });
		expect(errorOf(await fixture.guess(ada, code, { browser }))).toEqual(notACode);
	});
});
