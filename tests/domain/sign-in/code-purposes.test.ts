import { describe, expect, it } from 'vitest';
import { secondsFromStart } from '../../support/domain/builders.ts';
import {
	aSignedIn,
	errorOf,
	type Fixture,
	type Somebody,
	wrong
} from '../../support/domain/fixture.ts';

const ada = 'ada@example.com';
const bob = 'bob@example.com';
const notACode = { code: 'invalid_code', attemptsLeft: null };

/** A purpose of codes: how one is sent to Bob’s address, and where it is entered. */
interface Way {
	readonly request: (
		fixture: Fixture,
		somebody: Somebody,
		address: string
	) => Promise<{ ok: boolean }>;
	readonly type: (
		fixture: Fixture,
		somebody: Somebody,
		address: string,
		code: string
	) => Promise<{ readonly code: string; readonly attemptsLeft?: number | null } | null>;
}

const ways = {
	sign_in: {
		request: (fixture, _, address) => fixture.request(address),
		type: async (fixture, _, address, code) => errorOf(await fixture.enterCode(address, code))
	},
	email_verification: {
		request: (fixture, _, address) => fixture.request(address, null, 'email_verification'),
		type: async (fixture, _, address, code) => errorOf(await fixture.prove(address, code))
	},
	email_change: {
		request: (fixture, somebody, address) => fixture.askToMove(somebody, address),
		type: async (fixture, somebody, address, code) => {
			const error = errorOf(await fixture.moveByCode(somebody, address, code));
			// Bob has the address, which is revealed for the right code only.
			return error?.code === 'email_taken' ? null : error;
		}
	}
} as const satisfies Record<string, Way>;

type Purpose = keyof typeof ways;
const purposes = Object.keys(ways) as Purpose[];
const pairs = purposes.flatMap((one) =>
	purposes.filter((other) => other !== one).map((other) => [one, other] as const)
);

/**
 * Ada requests codes for an address of Bob’s account; most are emailed, and the test knows the
 * others.
 */
const twoPeople = async (): Promise<{ fixture: Fixture; adas: Somebody }> => {
	const { fixture, signedIn: adas } = await aSignedIn(ada);
	await fixture.signIn(bob);
	return { fixture, adas };
};

describe('codes of different purposes', () => {
	it.each(pairs)(
		'A10: one for %s does not work for %s, and loses no attempt',
		async (own, other) => {
			const { fixture, adas } = await twoPeople();
			expect((await ways[own].request(fixture, adas, bob)).ok).toBe(true);
			const code = fixture.luckyGuess();
			for (let time = 0; time < 10; time += 1) {
				expect(await ways[other].type(fixture, adas, bob, code)).toEqual(notACode);
			}
			// All five attempts are left.
			for (const attemptsLeft of [4, 3, 2, 1]) {
				expect(await ways[own].type(fixture, adas, bob, wrong(code))).toEqual({
					code: 'invalid_code',
					attemptsLeft
				});
			}
			expect(await ways[own].type(fixture, adas, bob, code)).toBeNull();
		}
	);

	it.each([
		['sign_in', 'email_verification'],
		['email_verification', 'sign_in'],
		['email_change', 'sign_in'],
		['email_change', 'email_verification']
	] as const)('A10: one for %s is refused by a check for %s', async (own, other) => {
		const { fixture, adas } = await twoPeople();
		await ways[own].request(fixture, adas, bob);
		const code = fixture.luckyGuess();
		const checked = await fixture.check(bob, code, { purpose: other });
		expect(errorOf(checked)).toEqual(notACode);
		expect(await ways[own].type(fixture, adas, bob, code)).toBeNull();
	});

	it('A10: when a link was sent, no code moves the account', async () => {
		const { fixture, signedIn: adas } = await aSignedIn(ada);
		await fixture.linkToMove(adas, 'new@example.com');
		expect(errorOf(await fixture.moveByCode(adas, 'new@example.com', '123456'))).toEqual(notACode);
		expect(await fixture.readEmailChange(adas.user)).toEqual({
			to: 'new@example.com',
			way: 'link',
			expiresAt: secondsFromStart(3600)
		});
	});
});

describe.each(purposes)('a code for %s', (purpose) => {
	const { request, type } = ways[purpose];

	it('A12: works at 599 seconds and has expired at 600 and 601', async () => {
		for (const [seconds, error] of [
			[599, null],
			[600, { code: 'expired_code' }],
			[601, { code: 'expired_code' }]
		] as const) {
			const { fixture, adas } = await twoPeople();
			await request(fixture, adas, bob);
			fixture.clock.advance(seconds);
			expect(await type(fixture, adas, bob, fixture.luckyGuess())).toEqual(error);
		}
	});

	it('A01/A21: allows five wrong codes, reports too many attempts once, and is then void', async () => {
		const { fixture, adas } = await twoPeople();
		await request(fixture, adas, bob);
		const code = fixture.luckyGuess();
		const errors = [];
		for (let time = 0; time < 7; time += 1) {
			errors.push(await type(fixture, adas, bob, wrong(code)));
		}
		expect(errors).toEqual([
			...[4, 3, 2, 1, 0].map((attemptsLeft) => ({ code: 'invalid_code', attemptsLeft })),
			{ code: 'too_many_attempts' },
			notACode
		]);
		expect(await type(fixture, adas, bob, code)).toEqual(notACode);
	});

	it.each(['', ' ', '12345', '1234567', 'abcdef', '\0', '٠١٢٣٤٥', 'null', 'undefined'])(
		'A14: a malformed code costs no attempt: %j',
		async (typed) => {
			const { fixture, adas } = await twoPeople();
			await request(fixture, adas, bob);
			const code = fixture.luckyGuess();
			for (let time = 0; time < 10; time += 1) {
				expect(await type(fixture, adas, bob, typed)).toEqual(notACode);
			}
			expect(await type(fixture, adas, bob, code)).toBeNull();
		}
	);

	it.each(['', 'bob', 'bob@example.com, ada@example.com'])(
		'A14: a malformed address costs no attempt: %j',
		async (address) => {
			const { fixture, adas } = await twoPeople();
			await request(fixture, adas, bob);
			const code = fixture.luckyGuess();
			for (let time = 0; time < 10; time += 1) {
				expect(['invalid_code', 'invalid_email']).toContain(
					(await type(fixture, adas, address, code))?.code
				);
			}
			expect(await type(fixture, adas, bob, code)).toBeNull();
		}
	);

	it('works in another spelling of its address', async () => {
		const { fixture, adas } = await twoPeople();
		await request(fixture, adas, ' BOB@example.com');
		expect(await type(fixture, adas, 'bob@EXAMPLE.com ', fixture.luckyGuess())).toBeNull();
	});
});
