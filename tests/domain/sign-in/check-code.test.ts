import { describe, expect, it } from 'vitest';
import { anEmail } from '../../support/domain/builders.ts';
import { aWorld, errorOf, wrong, type World } from '../../support/domain/world.ts';

const ada = 'ada@example.com';
const notACode = { code: 'invalid_code', attemptsLeft: null };

const check = async (
	world: World,
	code: string,
	rest: Partial<Parameters<World['checkCode']>[0]> = {}
): ReturnType<World['checkCode']> =>
	world.checkCode({ email: ada, purpose: 'sign_in', code, browser: null, ...rest });

describe('checking a code', () => {
	it('says that it is right and leaves it to be used', async () => {
		const world = aWorld();
		const code = await world.sendTo(ada);
		expect(await check(world, code)).toEqual({ ok: true, value: null });
		expect((await world.guess(ada, code)).ok).toBe(true);
		expect(errorOf(await check(world, code))).toEqual(notACode);
	});

	it('creates no account and opens no session', async () => {
		const world = aWorld();
		await check(world, await world.sendTo(ada));
		await world.background.flush();
		expect(await world.accounts.find(anEmail(ada))).toBeNull();
		expect(world.mailer.mails.map((mail) => mail.kind)).toEqual(['sign_in_code']);
	});

	it('A20: costs the same five attempts as entering it, right or wrong', async () => {
		const world = aWorld();
		const browser = world.aBrowser();
		const code = await world.sendTo(ada, browser);
		const left = async (): Promise<number | undefined> =>
			(await world.readPendingCode(browser))?.attemptsLeft;

		expect(errorOf(await check(world, wrong(code), { browser }))).toEqual({
			code: 'invalid_code',
			attemptsLeft: 4
		});
		expect(errorOf(await check(world, code, { browser }))).toBeNull();
		expect(await left()).toBe(3);
		expect(errorOf(await world.guess(ada, wrong(code), { browser }))).toEqual({
			code: 'invalid_code',
			attemptsLeft: 2
		});
		expect(errorOf(await check(world, wrong(code), { browser }))).toEqual({
			code: 'invalid_code',
			attemptsLeft: 1
		});
		expect(errorOf(await check(world, wrong(code), { browser }))).toEqual({
			code: 'invalid_code',
			attemptsLeft: 0
		});
		expect(errorOf(await check(world, code, { browser }))).toEqual({ code: 'too_many_attempts' });
		expect(errorOf(await world.guess(ada, code, { browser }))).toEqual(notACode);
	});

	it('A20: five right checks leave none to enter it', async () => {
		const world = aWorld();
		const code = await world.sendTo(ada);
		for (let time = 0; time < 5; time += 1) expect((await check(world, code)).ok).toBe(true);
		expect(errorOf(await world.guess(ada, code))).toEqual({ code: 'too_many_attempts' });
	});

	it('A20: of two hundred wrong checks and guesses at once five are compared', async () => {
		const world = aWorld();
		const code = await world.sendTo(ada);
		const results = await Promise.all(
			Array.from({ length: 100 }, () => [
				check(world, wrong(code)),
				world.guess(ada, wrong(code))
			]).flat()
		);
		const compared = results.map(errorOf).filter((error) => error?.code === 'invalid_code');
		expect(compared.filter((error) => error?.attemptsLeft !== null)).toHaveLength(5);
		expect((await world.guess(ada, code)).ok).toBe(false);
	});

	it('A06: wrong ones count in the row of wrong guesses', async () => {
		const world = aWorld();
		await check(world, wrong(await world.sendTo(ada)));
		expect(await world.throttle.hit(anEmail(ada), world.clock.now(), 900)).toMatchObject({
			failures: 1
		});
	});

	it('says that one has expired', async () => {
		const world = aWorld();
		const code = await world.sendTo(ada);
		world.clock.advance(600);
		expect(errorOf(await check(world, code))).toEqual({ code: 'expired_code' });
	});

	it('a stranger can neither check nor burn the code of a browser', async () => {
		const world = aWorld();
		const browser = world.aBrowser();
		const code = await world.sendTo(ada, browser);
		for (let time = 0; time < 10; time += 1) {
			expect(errorOf(await check(world, code))).toEqual(notACode);
			expect(errorOf(await check(world, code, { browser: world.aBrowser() }))).toEqual(notACode);
		}
		expect(errorOf(await check(world, code, { browser }))).toBeNull();
	});

	it('works for a code that proves an address as well', async () => {
		const world = aWorld();
		await world.signIn(ada);
		const code = await world.sendTo(ada, null, 'email_verification');
		const rest = { purpose: 'email_verification' } as const;
		expect((await check(world, code, rest)).ok).toBe(true);
		expect((await world.verifyEmail({ email: ada, code, browser: null })).ok).toBe(true);
	});

	it.each(['', 'ada', 'ada@example.com,bob@example.com'])(
		'A14: a malformed address costs no attempt: %j',
		async (email) => {
			const world = aWorld();
			const code = await world.sendTo(ada);
			for (let time = 0; time < 10; time += 1) {
				expect(errorOf(await check(world, code, { email }))).toEqual(notACode);
			}
			expect((await world.guess(ada, code)).ok).toBe(true);
		}
	);
});
