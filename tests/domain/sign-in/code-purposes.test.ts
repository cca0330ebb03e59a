import { describe, expect, it } from 'vitest';
import { secondsFromStart } from '../../support/domain/builders.ts';
import { aWorld, errorOf, wrong, type Somebody, type World } from '../../support/domain/world.ts';

const ada = 'ada@example.com';
const bob = 'bob@example.com';
const notACode = { code: 'invalid_code', attemptsLeft: null };

/** A purpose of codes: how one comes to Bob's address, and where it is typed. */
interface Way {
	readonly ask: (world: World, somebody: Somebody, address: string) => Promise<{ ok: boolean }>;
	readonly type: (
		world: World,
		somebody: Somebody,
		address: string,
		code: string
	) => Promise<{ readonly code: string; readonly attemptsLeft?: number | null } | null>;
}

const ways = {
	sign_in: {
		ask: (world, _, address) => world.ask(address),
		type: async (world, _, address, code) => errorOf(await world.guess(address, code))
	},
	email_verification: {
		ask: (world, _, address) => world.ask(address, null, 'email_verification'),
		type: async (world, _, address, code) =>
			errorOf(await world.verifyEmail({ email: address, code, browser: null }))
	},
	email_change: {
		ask: (world, somebody, address) => world.askToMove(somebody, address),
		type: async (world, somebody, address, code) => {
			const error = errorOf(await world.moveByCode(somebody, address, code));
			// Bob has the address, which only the right code gets to hear.
			return error?.code === 'email_taken' ? null : error;
		}
	}
} as const satisfies Record<string, Way>;

type Purpose = keyof typeof ways;
const purposes = Object.keys(ways) as Purpose[];
const pairs = purposes.flatMap((one) =>
	purposes.filter((other) => other !== one).map((other) => [one, other] as const)
);

/** Ada asks, of an address where Bob has an account; most codes go there, drawn ones count as known. */
const twoPeople = async (): Promise<{ world: World; adas: Somebody }> => {
	const world = aWorld();
	const adas = await world.signIn(ada);
	await world.signIn(bob);
	return { world, adas };
};

describe('codes of different purposes', () => {
	it.each(pairs)('A10: one for %s does nothing for %s, and loses nothing', async (own, other) => {
		const { world, adas } = await twoPeople();
		expect((await ways[own].ask(world, adas, bob)).ok).toBe(true);
		const code = world.luckyGuess();
		for (let time = 0; time < 10; time += 1) {
			expect(await ways[other].type(world, adas, bob, code)).toEqual(notACode);
		}
		// All five attempts are still there.
		for (const attemptsLeft of [4, 3, 2, 1]) {
			expect(await ways[own].type(world, adas, bob, wrong(code))).toEqual({
				code: 'invalid_code',
				attemptsLeft
			});
		}
		expect(await ways[own].type(world, adas, bob, code)).toBeNull();
	});

	it.each(pairs)('A10: one for %s is a wrong one for %s where both wait', async (own, other) => {
		const { world, adas } = await twoPeople();
		await ways[own].ask(world, adas, bob);
		const code = world.luckyGuess();
		await ways[other].ask(world, adas, bob);
		const others = world.luckyGuess();
		expect(others).not.toBe(code);
		expect(await ways[other].type(world, adas, bob, code)).toEqual({
			code: 'invalid_code',
			attemptsLeft: 4
		});
		expect(await ways[other].type(world, adas, bob, others)).toBeNull();
		expect(await ways[own].type(world, adas, bob, code)).toBeNull();
	});

	it.each([
		['sign_in', 'email_verification'],
		['email_verification', 'sign_in'],
		['email_change', 'sign_in'],
		['email_change', 'email_verification']
	] as const)('A10: one for %s does not check as one for %s', async (own, other) => {
		const { world, adas } = await twoPeople();
		await ways[own].ask(world, adas, bob);
		const code = world.luckyGuess();
		const checked = await world.checkCode({ email: bob, purpose: other, code, browser: null });
		expect(errorOf(checked)).toEqual(notACode);
		expect(await ways[own].type(world, adas, bob, code)).toBeNull();
	});

	it('A10: where a link was sent, no code moves the account', async () => {
		const world = aWorld();
		const adas = await world.signIn(ada);
		await world.linkToMove(adas, 'new@example.com');
		expect(errorOf(await world.moveByCode(adas, 'new@example.com', '123456'))).toEqual(notACode);
		expect(await world.readEmailChange(adas.user)).toEqual({
			to: 'new@example.com',
			way: 'link',
			expiresAt: secondsFromStart(3600)
		});
	});
});

describe.each(purposes)('a code for %s', (purpose) => {
	const { ask, type } = ways[purpose];

	it('A11: fits no other address, and loses nothing there', async () => {
		const { world, adas } = await twoPeople();
		await ask(world, adas, bob);
		const code = world.luckyGuess();
		for (let time = 0; time < 10; time += 1) {
			expect(await type(world, adas, 'carol@example.com', code)).toEqual(notACode);
		}
		expect(await type(world, adas, bob, code)).toBeNull();
	});

	it('A12: works at 599 seconds and has expired at 600 and 601', async () => {
		for (const [seconds, error] of [
			[599, null],
			[600, { code: 'expired_code' }],
			[601, { code: 'expired_code' }]
		] as const) {
			const { world, adas } = await twoPeople();
			await ask(world, adas, bob);
			world.clock.advance(seconds);
			expect(await type(world, adas, bob, world.luckyGuess())).toEqual(error);
		}
	});

	it('A01/A21: bears five wrong guesses, says so once more, and is gone then', async () => {
		const { world, adas } = await twoPeople();
		await ask(world, adas, bob);
		const code = world.luckyGuess();
		const errors = [];
		for (let time = 0; time < 7; time += 1) {
			errors.push(await type(world, adas, bob, wrong(code)));
		}
		expect(errors).toEqual([
			...[4, 3, 2, 1, 0].map((attemptsLeft) => ({ code: 'invalid_code', attemptsLeft })),
			{ code: 'too_many_attempts' },
			notACode
		]);
		expect(await type(world, adas, bob, code)).toEqual(notACode);
	});

	it.each(['', ' ', '12345', '1234567', 'abcdef', '\0', '٠١٢٣٤٥', 'null', 'undefined'])(
		'A14: what cannot be one costs no attempt: %j',
		async (typed) => {
			const { world, adas } = await twoPeople();
			await ask(world, adas, bob);
			const code = world.luckyGuess();
			for (let time = 0; time < 10; time += 1) {
				expect(await type(world, adas, bob, typed)).toEqual(notACode);
			}
			expect(await type(world, adas, bob, code)).toBeNull();
		}
	);

	it.each(['', 'bob', 'bob@example.com, ada@example.com'])(
		'A14: with a malformed address costs no attempt: %j',
		async (address) => {
			const { world, adas } = await twoPeople();
			await ask(world, adas, bob);
			const code = world.luckyGuess();
			for (let time = 0; time < 10; time += 1) {
				expect(['invalid_code', 'invalid_email']).toContain(
					(await type(world, adas, address, code))?.code
				);
			}
			expect(await type(world, adas, bob, code)).toBeNull();
		}
	);

	it('works in another spelling of its address', async () => {
		const { world, adas } = await twoPeople();
		await ask(world, adas, ' BOB@example.com');
		expect(await type(world, adas, 'bob@EXAMPLE.com ', world.luckyGuess())).toBeNull();
	});
});
