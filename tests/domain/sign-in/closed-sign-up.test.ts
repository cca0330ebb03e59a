import { describe, expect, it } from 'vitest';
import { anEmail } from '../../support/domain/builders.ts';
import { aWorld, errorOf, wrong, type World } from '../../support/domain/world.ts';

const known = 'known@example.com';
const unknown = 'unknown@example.com';
const notACode = { code: 'invalid_code', attemptsLeft: null };

/** A house whose doors were closed after one had moved in. */
const closed = async (): Promise<World> => {
	const before = aWorld();
	await before.signIn(known);
	const { stores, ids, random } = before;
	const world = aWorld({ signUp: 'closed', deps: { ...stores, ids, random } });
	// Past the window of what was sent before.
	world.clock.advance(901);
	return world;
};

describe('where sign-up is closed', () => {
	it('who has an account signs in as ever', async () => {
		const world = await closed();
		const verified = await world.guess(known, await world.sendTo(known));
		expect(verified).toMatchObject({ ok: true, value: { user: { email: known } } });
	});

	it('C04: a stranger gets the same answer and no mail', async () => {
		const world = await closed();
		const answers = [];
		for (const email of [known, unknown]) {
			const asked = await world.ask(email);
			answers.push(asked.ok && { ...asked.value, email: '' });
			await world.background.flush();
		}
		expect(answers[0]).toEqual(answers[1]);
		expect(world.mailer.mails.map((mail) => mail.to)).toEqual([known]);
		expect(world.background.failures).toEqual([]);
	});

	it('C04: a browser that waits is shown the same for both', async () => {
		const world = await closed();
		const shown = [];
		for (const email of [known, unknown]) {
			const browser = world.aBrowser();
			await world.ask(email, browser);
			shown.push({ ...(await world.readPendingCode(browser)), email: '' });
		}
		expect(shown[0]).toMatchObject({ state: 'open', attemptsLeft: 5 });
		expect(shown[1]).toEqual(shown[0]);
	});

	it('C04: wrong codes behave alike for both', async () => {
		const world = await closed();
		for (const email of [known, unknown]) {
			await world.ask(email);
			const code = wrong(world.luckyGuess());
			const errors = [];
			for (let time = 0; time < 7; time += 1) {
				errors.push(errorOf(await world.guess(email, code)));
			}
			expect(errors).toEqual([
				...[4, 3, 2, 1, 0].map((attemptsLeft) => ({ code: 'invalid_code', attemptsLeft })),
				{ code: 'too_many_attempts' },
				notACode
			]);
		}
	});

	it('C04: sends are limited alike for both', async () => {
		const world = await closed();
		for (const email of [known, unknown]) {
			for (let send = 0; send < 5; send += 1) expect((await world.ask(email)).ok).toBe(true);
			expect(errorOf(await world.ask(email))).toEqual({ code: 'too_many_sends', retryAfter: 900 });
		}
	});

	it('even the right code of a stranger, however guessed, makes no account and works once', async () => {
		const world = await closed();
		await world.ask(unknown);
		const code = world.luckyGuess();
		expect(errorOf(await world.guess(unknown, code))).toEqual(notACode);
		expect(errorOf(await world.guess(unknown, code))).toEqual(notACode);
		await world.background.flush();
		expect(await world.accounts.find(anEmail(unknown))).toBeNull();
		expect(world.mailer.mails).toEqual([]);
	});

	it('a stranger still moves nothing and a member still moves', async () => {
		const world = await closed();
		const signedIn = await world.signIn(known);
		expect((await world.move(signedIn, 'new@example.com')).user.email).toBe('new@example.com');
	});

	it('a deleted account gets its code and can be restored', async () => {
		const world = await closed();
		await world.remove(await world.signIn(known));
		const code = await world.sendTo(known);
		expect(errorOf(await world.guess(known, code, { ifDeleted: 'restore' }))).toBeNull();
	});

	it.each(['refused', 'unknown'] as const)(
		'M05/M11: a mail that is %s is left to the log, so that the answer tells nothing',
		async (delivery) => {
			const world = await closed();
			world.mailer.meet(delivery);
			for (const email of [known, unknown]) {
				expect((await world.ask(email)).ok).toBe(true);
				await world.background.flush();
			}
			expect(world.background.failures).toEqual([
				{ name: 'sign_in_code mail', error: new Error(`delivery ${delivery}`) }
			]);
			// No send is given back, also of a refused mail: who has no account was sent none.
			for (const email of [known, unknown]) {
				for (let send = 1; send < 5; send += 1) expect((await world.ask(email)).ok).toBe(true);
				expect(errorOf(await world.ask(email))?.code).toBe('too_many_sends');
			}
		}
	);
});
