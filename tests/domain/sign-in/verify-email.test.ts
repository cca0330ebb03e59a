import { describe, expect, it } from 'vitest';
import type { CodeKey } from '#lib/domain/secret.ts';
import { aRequestSource, secondsFromStart } from '../../support/domain/builders.ts';
import { aFixture, aSignedIn, errorOf, type Fixture, wrong } from '../../support/domain/fixture.ts';

const ada = 'ada@example.com';
const notACode = { code: 'invalid_code', attemptsLeft: null };

const send = (fixture: Fixture, codeKey: CodeKey | null = null): Promise<string> =>
	fixture.sendTo(ada, codeKey, 'email_verification');
describe('verifying an address', () => {
	it('emails a code of its own kind, and the code returns the account', async () => {
		const { fixture, user } = await aSignedIn(ada);
		const code = await send(fixture);
		expect(fixture.mailer.mails.at(-1)).toEqual({
			kind: 'email_verification_code',
			to: ada,
			code,
			lifetime: 600,
			at: secondsFromStart(0),
			source: aRequestSource()
		});
		expect(await fixture.prove(ada, code)).toEqual({ ok: true, value: user });
	});

	it('C04: an address without an account, or with a deleted one, gets the same answer and no email', async () => {
		const fixture = aFixture();
		await fixture.signIn('known@example.com');
		await fixture.remove(await fixture.signIn('deleted@example.com'));
		await fixture.background.flush();
		const before = fixture.mailer.mails.length;
		const answers = [];
		for (const email of ['known@example.com', 'deleted@example.com', 'unknown@example.com']) {
			const requested = await fixture.request(email, null, 'email_verification');
			answers.push(requested.ok && { ...requested.value, email: '' });
			await fixture.background.flush();
		}
		expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
		expect(fixture.mailer.mails.slice(before).map((mail) => mail.to)).toEqual([
			'known@example.com'
		]);
		expect(fixture.background.failures).toEqual([]);
	});

	it('C04: wrong codes behave the same for known, deleted and unknown addresses', async () => {
		const fixture = aFixture();
		await fixture.signIn('known@example.com');
		await fixture.remove(await fixture.signIn('deleted@example.com'));
		for (const email of ['known@example.com', 'deleted@example.com', 'unknown@example.com']) {
			await fixture.request(email, null, 'email_verification');
			const code = wrong(fixture.luckyGuess());
			const errors = [];
			for (let time = 0; time < 7; time += 1) {
				errors.push(errorOf(await fixture.prove(email, code)));
			}
			expect(errors).toEqual([
				...[4, 3, 2, 1, 0].map((attemptsLeft) => ({ code: 'invalid_code', attemptsLeft })),
				{ code: 'too_many_attempts' },
				notACode
			]);
		}
	});
});
