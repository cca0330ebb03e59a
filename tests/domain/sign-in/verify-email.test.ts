import { describe, expect, it } from 'vitest';
import type { BrowserKey } from '#lib/domain/index.ts';
import { aDevice, secondsFromStart } from '../../support/domain/builders.ts';
import { aWorld, errorOf, wrong, type World } from '../../support/domain/world.ts';

const ada = 'ada@example.com';
const notACode = { code: 'invalid_code', attemptsLeft: null };

const send = (world: World, browser: BrowserKey | null = null): Promise<string> =>
	world.sendTo(ada, browser, 'email_verification');
const prove = (
	world: World,
	code: string,
	browser: BrowserKey | null = null
): ReturnType<World['verifyEmail']> => world.verifyEmail({ email: ada, code, browser });

describe('proving an address once more', () => {
	it('mails a code of its own kind, and the code gives the account', async () => {
		const world = aWorld();
		const { user } = await world.signIn(ada);
		const code = await send(world);
		expect(world.mailer.mails.at(-1)).toEqual({
			kind: 'email_verification_code',
			to: ada,
			code,
			lifetime: 600,
			at: secondsFromStart(0),
			device: aDevice()
		});
		expect(await prove(world, code)).toEqual({ ok: true, value: user });
	});

	it('opens no session and ends none', async () => {
		const world = aWorld();
		const { user, token } = await world.signIn(ada);
		await prove(world, await send(world));
		expect(await world.sessionsOf.list(user.id)).toHaveLength(1);
		expect(await world.whoIs(token)).toEqual(user);
	});

	it('A03: works once, also of fifty at once', async () => {
		const world = aWorld();
		await world.signIn(ada);
		const code = await send(world);
		const results = await Promise.all(Array.from({ length: 50 }, () => prove(world, code)));
		expect(results.filter((result) => result.ok)).toHaveLength(1);
		expect(errorOf(await prove(world, code))).toEqual(notACode);
	});

	it('is for the browser that asked, where one did', async () => {
		const world = aWorld();
		await world.signIn(ada);
		const browser = world.aBrowser();
		const code = await send(world, browser);
		expect(errorOf(await prove(world, code))).toEqual(notACode);
		expect(errorOf(await prove(world, code, world.aBrowser()))).toEqual(notACode);
		expect(errorOf(await prove(world, code, browser))).toBeNull();
	});

	it('C04: an address without an account, or with a deleted one, gets the same answer and no mail', async () => {
		const world = aWorld();
		await world.signIn('known@example.com');
		await world.remove(await world.signIn('deleted@example.com'));
		await world.background.flush();
		const before = world.mailer.mails.length;
		const answers = [];
		for (const email of ['known@example.com', 'deleted@example.com', 'unknown@example.com']) {
			const asked = await world.ask(email, null, 'email_verification');
			answers.push(asked.ok && { ...asked.value, email: '' });
			await world.background.flush();
		}
		expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
		expect(world.mailer.mails.slice(before).map((mail) => mail.to)).toEqual(['known@example.com']);
		expect(world.background.failures).toEqual([]);
	});

	it('C04: wrong codes behave alike for known, deleted and unknown addresses', async () => {
		const world = aWorld();
		await world.signIn('known@example.com');
		await world.remove(await world.signIn('deleted@example.com'));
		for (const email of ['known@example.com', 'deleted@example.com', 'unknown@example.com']) {
			await world.ask(email, null, 'email_verification');
			const code = wrong(world.luckyGuess());
			const errors = [];
			for (let time = 0; time < 7; time += 1) {
				errors.push(errorOf(await world.verifyEmail({ email, code, browser: null })));
			}
			expect(errors).toEqual([
				...[4, 3, 2, 1, 0].map((attemptsLeft) => ({ code: 'invalid_code', attemptsLeft })),
				{ code: 'too_many_attempts' },
				notACode
			]);
		}
	});

	it('C04: nothing comes of a code that was guessed for an address without an account', async () => {
		const world = aWorld();
		await world.ask(ada, null, 'email_verification');
		await world.background.flush();
		expect(errorOf(await prove(world, world.luckyGuess()))).toEqual(notACode);
		expect(await world.accounts.find(ada as never)).toBeNull();
		expect(world.mailer.mails).toEqual([]);
	});

	it('nothing comes of the right code once the account was deleted', async () => {
		const world = aWorld();
		const signedIn = await world.signIn(ada);
		const code = await send(world);
		await world.remove(signedIn);
		expect(errorOf(await prove(world, code))).toEqual(notACode);
	});

	it('says that a code has expired, or that too many were tried', async () => {
		const world = aWorld();
		await world.signIn(ada);
		const code = await send(world);
		for (let time = 0; time < 5; time += 1) await prove(world, wrong(code));
		expect(errorOf(await prove(world, code))).toEqual({ code: 'too_many_attempts' });
		const next = await send(world);
		world.clock.advance(600);
		expect(errorOf(await prove(world, next))).toEqual({ code: 'expired_code' });
	});
});
