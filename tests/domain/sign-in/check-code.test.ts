import { describe, expect, it } from 'vitest';
import { aFixture, errorOf, wrong } from '../../support/domain/fixture.ts';

const ada = 'ada@example.com';
const notACode = { code: 'invalid_code', attemptsLeft: null };

describe('checking a code', () => {
	it('A20: costs the same five attempts as entering it, right or wrong', async () => {
		const fixture = aFixture();
		const codeKey = fixture.aCodeKey();
		const code = await fixture.sendTo(ada, codeKey);
		const left = async (): Promise<number | undefined> =>
			(await fixture.readPendingCode(codeKey))?.attemptsLeft;

		expect(errorOf(await fixture.check(ada, wrong(code), { codeKey }))).toEqual({
			code: 'invalid_code',
			attemptsLeft: 4
		});
		expect(errorOf(await fixture.check(ada, code, { codeKey }))).toBeNull();
		expect(await left()).toBe(3);
		expect(errorOf(await fixture.enterCode(ada, wrong(code), { codeKey }))).toEqual({
			code: 'invalid_code',
			attemptsLeft: 2
		});
		for (const attemptsLeft of [1, 0]) {
			const checked = await fixture.check(ada, wrong(code), { codeKey });
			expect(errorOf(checked)).toEqual({ code: 'invalid_code', attemptsLeft });
		}
		expect(errorOf(await fixture.check(ada, code, { codeKey }))).toEqual({
			code: 'too_many_attempts'
		});
		expect(errorOf(await fixture.enterCode(ada, code, { codeKey }))).toEqual(notACode);
	});
});
