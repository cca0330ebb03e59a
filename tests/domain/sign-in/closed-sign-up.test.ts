import { describe, expect, it } from 'vitest';
import { anEmail } from '../../support/domain/builders.ts';
import { aFixture, errorOf, type Fixture } from '../../support/domain/fixture.ts';

const known = 'known@example.com';
const unknown = 'unknown@example.com';
const notACode = { code: 'invalid_code', attemptsLeft: null };

/** An installation whose sign-up was closed after one user had an account. */
const closed = async (): Promise<Fixture> => {
	const before = aFixture();
	await before.signIn(known);
	const { stores, ids, random } = before;
	const fixture = aFixture({ signUp: 'closed', ...stores, ids, random });
	// After the window of the earlier sends.
	fixture.clock.advance(901);
	return fixture;
};

describe('with sign-up closed', () => {
	it('C04: an address without an account gets the same response and no email', async () => {
		const fixture = await closed();
		const answers = [];
		for (const email of [known, unknown]) {
			const requested = await fixture.request(email);
			answers.push(requested.ok && { ...requested.value, email: '' });
			await fixture.background.flush();
		}
		expect(answers[0]).toEqual(answers[1]);
		expect(fixture.mailer.mails.map((mail) => mail.to)).toEqual([known]);
		expect(fixture.background.failures).toEqual([]);
	});

	it('C04: a browser with a pending code sees the same for both', async () => {
		const fixture = await closed();
		const shown = [];
		for (const email of [known, unknown]) {
			const codeKey = fixture.aCodeKey();
			await fixture.request(email, codeKey);
			shown.push({ ...(await fixture.readPendingCode(codeKey)), email: '' });
		}
		expect(shown[0]).toMatchObject({ state: 'open', attemptsLeft: 5 });
		expect(shown[1]).toEqual(shown[0]);
	});

	it('even the right code of an address without an account creates no account and works once', async () => {
		const fixture = await closed();
		await fixture.request(unknown);
		const code = fixture.luckyGuess();
		expect(errorOf(await fixture.enterCode(unknown, code))).toEqual(notACode);
		expect(errorOf(await fixture.enterCode(unknown, code))).toEqual(notACode);
		await fixture.background.flush();
		expect(await fixture.accounts.find(anEmail(unknown))).toBeNull();
		expect(fixture.mailer.mails).toEqual([]);
	});

	it('a deleted account gets its code and can be restored', async () => {
		const fixture = await closed();
		await fixture.remove(await fixture.signIn(known));
		const code = await fixture.sendTo(known);
		expect(errorOf(await fixture.enterCode(known, code, { ifDeleted: 'restore' }))).toBeNull();
	});
});
