import { describe, expect, it } from 'vitest';
import {
	defaultPolicy,
	StoreUnavailable,
	type SessionToken,
	type SignIns
} from '#lib/domain/index.ts';
import {
	aDevice,
	anEmail,
	anOpenChallenge,
	aProfile,
	secondsFromStart,
	start
} from '../../support/domain/builders.ts';
import { aWorld, errorOf, valueOf, wrong } from '../../support/domain/world.ts';

const ada = 'ada@example.com';
const bob = 'bob@example.com';
const notACode = { code: 'invalid_code', attemptsLeft: null };

describe('entering a code', () => {
	it('opens a session, and an account with its data where there was none', async () => {
		const world = aWorld();
		const verified = await world.guess(ada, await world.sendTo(ada), {
			profile: aProfile({ name: 'Ada', image: 'https://example.com/ada.png' }),
			device: aDevice({ ipAddress: '192.0.2.7', userAgent: 'Browser/1' })
		});
		expect(verified).toMatchObject({
			ok: true,
			value: {
				token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
				user: { email: ada, emailVerified: true, name: 'Ada', createdAt: secondsFromStart(0) },
				session: {
					ipAddress: '192.0.2.7',
					userAgent: 'Browser/1',
					expiresAt: secondsFromStart(defaultPolicy.session.lifetime)
				}
			}
		});
		if (!verified.ok) return;
		expect(verified.value.session.userId).toBe(verified.value.user.id);
	});

	it('gives a token that reads as that session, and shows neither token nor hash in it', async () => {
		const world = aWorld();
		const { token, user, session } = await world.signIn(ada);
		const read = await world.readSession({ token, mayRefresh: false });
		expect(read).toEqual({ user, session, refreshed: false });
		expect(JSON.stringify(read)).not.toContain(token);
		expect(JSON.stringify(read)).not.toContain(world.secretHasher.ofToken(token));
	});

	it('finds the account of an address that has one, and ignores the profile then', async () => {
		const world = aWorld();
		const first = await world.signIn(ada);
		const code = await world.sendTo(' ADA@example.com');
		const again = await world.guess(ada, code, { profile: aProfile({ name: 'Mallory' }) });
		expect(again.ok && again.value.user).toEqual(first.user);
	});

	it.each([
		[true, { marketingOptIn: true, marketingOptInAt: start }],
		[false, { marketingOptIn: false, marketingOptInAt: null }],
		[undefined, { marketingOptIn: false, marketingOptInAt: null }]
	])('keeps with a new account that its owner answered %s to marketing', async (answer, kept) => {
		const world = aWorld();
		const profile = aProfile(answer === undefined ? {} : { marketingOptIn: answer });
		const opened = valueOf(await world.guess(ada, await world.sendTo(ada), { profile }));
		expect(await world.accounts.dataOf(opened.user.id)).toMatchObject(kept);
	});

	it('does not take an answer to marketing from somebody who has an account', async () => {
		const world = aWorld();
		const { user } = await world.signIn(ada);
		const profile = aProfile({ marketingOptIn: true });
		await world.guess(ada, await world.sendTo(ada), { profile });
		expect(await world.accounts.dataOf(user.id)).toMatchObject({ marketingOptIn: false });
	});

	it('A03: works once', async () => {
		const world = aWorld();
		const code = await world.sendTo(ada);
		expect((await world.guess(ada, code)).ok).toBe(true);
		expect(errorOf(await world.guess(ada, code))).toEqual(notACode);
	});

	it('A03: one of fifty at once wins, and one account and one welcome come of it (A04)', async () => {
		const world = aWorld();
		const code = await world.sendTo(ada);
		const results = await Promise.all(Array.from({ length: 50 }, () => world.guess(ada, code)));
		expect(results.filter((result) => result.ok)).toHaveLength(1);
		await world.background.flush();
		expect(world.mailer.mails.filter((mail) => mail.kind === 'welcome')).toHaveLength(1);
	});

	it('A01: of two hundred wrong guesses at once five are compared, and the code is spent', async () => {
		const world = aWorld();
		const code = await world.sendTo(ada);
		const results = await Promise.all(
			Array.from({ length: 200 }, () => world.guess(ada, wrong(code)))
		);
		const compared = results.filter((result) => {
			const error = errorOf(result);
			return error?.code === 'invalid_code' && error.attemptsLeft !== null;
		});
		expect(compared).toHaveLength(5);
		expect((await world.guess(ada, code)).ok).toBe(false);
	});

	it('A08: the newest code works, an earlier one does not', async () => {
		const world = aWorld();
		const first = await world.sendTo(ada);
		const second = await world.sendTo(ada);
		expect(errorOf(await world.guess(ada, first))).toEqual({
			code: 'invalid_code',
			attemptsLeft: 4
		});
		expect((await world.guess(ada, second)).ok).toBe(true);
	});

	it('A08: likewise within one browser, while another browser keeps its own', async () => {
		const world = aWorld();
		const [one, other] = [world.aBrowser(), world.aBrowser()];
		const first = await world.sendTo(ada, one);
		const others = await world.sendTo(ada, other);
		const second = await world.sendTo(ada, one);
		expect((await world.guess(ada, first, { browser: one })).ok).toBe(false);
		expect((await world.guess(ada, second, { browser: one })).ok).toBe(true);
		expect((await world.guess(ada, others, { browser: other })).ok).toBe(true);
	});

	it('A08: a new code has all its attempts again', async () => {
		const world = aWorld();
		const first = await world.sendTo(ada);
		for (let time = 0; time < 6; time += 1) await world.guess(ada, wrong(first));
		const second = await world.sendTo(ada);
		expect(errorOf(await world.guess(ada, wrong(second)))).toEqual({
			code: 'invalid_code',
			attemptsLeft: 4
		});
	});

	it('A12: at 599 seconds it works, at 600 and 601 it has expired', async () => {
		for (const [seconds, error] of [
			[599, null],
			[600, { code: 'expired_code' }],
			[601, { code: 'expired_code' }]
		] as const) {
			const world = aWorld();
			const code = await world.sendTo(ada);
			world.clock.advance(seconds);
			expect(errorOf(await world.guess(ada, code))).toEqual(error);
		}
	});

	it('A12: a miss does not extend its life', async () => {
		const world = aWorld();
		const code = await world.sendTo(ada);
		world.clock.advance(599);
		await world.guess(ada, wrong(code));
		world.clock.advance(2);
		expect(errorOf(await world.guess(ada, code))).toEqual({ code: 'expired_code' });
	});

	it('A13: goes through the sanitizer, and keeps its zeros', async () => {
		// Bytes 0 0 0 1 2 3 are the code 000123.
		for (const typed of [
			'000123',
			' 000 123\n',
			'+000-123',
			'code: ０００１２３',
			'0\t0\t0\t1\t2\t3'
		]) {
			const world = aWorld({ bytes: [0, 0, 0, 1, 2, 3] });
			expect(await world.sendTo(ada)).toBe('000123');
			expect((await world.guess(ada, typed)).ok).toBe(true);
		}
	});

	it.each(['', ' ', '12345', '1234567', '123', 'abcdef', '12345a', '٠١٢٣٤٥', '0x1e240', '\0'])(
		'A13/A14: what has not the length of a code costs no attempt: %j',
		async (typed) => {
			const world = aWorld();
			const code = await world.sendTo(ada);
			for (let time = 0; time < 10; time += 1) {
				expect(errorOf(await world.guess(ada, typed))).toEqual(notACode);
			}
			expect((await world.guess(ada, code)).ok).toBe(true);
		}
	);

	it.each(['', 'ada', 'ada@example.com,bob@example.com'])(
		'A14: a missing or malformed address costs no attempt: %j',
		async (email) => {
			const world = aWorld();
			const code = await world.sendTo(ada);
			for (let time = 0; time < 10; time += 1) {
				expect(errorOf(await world.guess(email, code))).toEqual(notACode);
			}
			expect((await world.guess(ada, code)).ok).toBe(true);
		}
	);

	it.each(['', 'null', '$argon2id$'])(
		'A14: a challenge whose hash is %j is opened by nothing',
		async (codeHash) => {
			const world = aWorld();
			await world.challenges.issue(anOpenChallenge({ codeHash }), start);
			for (const typed of ['', '000000', '123456']) {
				expect((await world.guess(ada, typed)).ok).toBe(false);
			}
		}
	);

	it('A21: an address that nobody asked a code for answers like a code that is gone', async () => {
		const world = aWorld();
		expect(errorOf(await world.guess(ada, '123456'))).toEqual(notACode);
		await world.signIn(bob);
		expect(errorOf(await world.guess(bob, '123456'))).toEqual(notACode);
	});

	it('A21: five misses count down, then say to ask for a new code, alike with and without an account', async () => {
		const world = aWorld();
		await world.signIn(bob);
		for (const email of [ada, bob]) {
			const code = await world.sendTo(email);
			const errors = [];
			for (let time = 0; time < 7; time += 1) {
				errors.push(errorOf(await world.guess(email, wrong(code))));
			}
			expect(errors).toEqual([
				...[4, 3, 2, 1, 0].map((attemptsLeft) => ({ code: 'invalid_code', attemptsLeft })),
				{ code: 'too_many_attempts' },
				notACode
			]);
			expect((await world.guess(email, code)).ok).toBe(false);
		}
	});

	it('A01: the last attempt may still be the right one', async () => {
		const world = aWorld();
		const code = await world.sendTo(ada);
		for (let time = 0; time < 4; time += 1) await world.guess(ada, wrong(code));
		expect((await world.guess(ada, code)).ok).toBe(true);
	});

	it('A05: a right code counted in time wins over wrong ones counted while it is compared', async () => {
		const world = aWorld();
		const code = await world.sendTo(ada);
		const right = world.guess(ada, code);
		const others = Array.from({ length: 20 }, () => world.guess(ada, wrong(code)));
		expect((await right).ok).toBe(true);
		expect((await Promise.all(others)).every((result) => !result.ok)).toBe(true);
	});

	it('a store that fails is a fault and no wrong guess, and the code can be entered again', async () => {
		const real = aWorld();
		const { redeem } = real.signIns;
		let failures = 1;
		const signIns: SignIns = {
			redeem: (redemption) => {
				failures -= 1;
				return failures < 0 ? redeem(redemption) : Promise.reject(new StoreUnavailable('closed'));
			}
		};
		const world = aWorld({ deps: { challenges: real.challenges, signIns } as object });
		const code = await world.sendTo(ada);
		await expect(world.guess(ada, code)).rejects.toThrow('store unavailable (closed)');
		expect(await world.throttle.hit(anEmail(ada), world.clock.now(), 900)).toMatchObject({
			failures: 0
		});
		expect((await world.guess(ada, code)).ok).toBe(true);
	});
});

describe('what a code is bound to', () => {
	it('A11: a code of one address does not fit another, and counts against that other one', async () => {
		const world = aWorld();
		const adas = await world.sendTo(ada);
		const bobs = await world.sendTo(bob);
		const wrongForBob = adas === bobs ? wrong(adas) : adas;
		expect(errorOf(await world.guess(bob, wrongForBob))).toEqual({
			code: 'invalid_code',
			attemptsLeft: 4
		});
		const adasNext = await world.guess(ada, wrong(adas));
		expect(errorOf(adasNext)).toEqual({ code: 'invalid_code', attemptsLeft: 4 });
		expect((await world.guess(bob, bobs)).ok).toBe(true);
	});

	it('A11: a code asked for in one spelling is entered in another', async () => {
		const world = aWorld();
		expect((await world.guess('ada@example.com', await world.sendTo('ADA@Example.COM'))).ok).toBe(
			true
		);
	});

	it('A10: a code that another address, browser or purpose was hashed with opens nothing', async () => {
		const world = aWorld();
		const boundTo = world.secretHasher.ofBrowserKey(world.aBrowser());
		const bound = { purpose: 'sign_in', email: ada, boundTo: null, code: '123456' };
		for (const other of [
			{ email: bob },
			{ boundTo },
			{ purpose: 'email_change' },
			{ purpose: 'email_verification' },
			{ from: bob }
		]) {
			const codeHash = await world.codeHasher.hash({ ...bound, ...other } as never);
			await world.challenges.issue(anOpenChallenge({ codeHash }), start);
			expect(errorOf(await world.guess(ada, '123456'))).toEqual({
				code: 'invalid_code',
				attemptsLeft: 4
			});
		}
	});

	it('a stranger who knows the address can neither use nor burn the code of a browser', async () => {
		const world = aWorld();
		const browser = world.aBrowser();
		const code = await world.sendTo(ada, browser);
		for (let time = 0; time < 20; time += 1) {
			expect(errorOf(await world.guess(ada, code))).toEqual(notACode);
			expect(errorOf(await world.guess(ada, code, { browser: world.aBrowser() }))).toEqual(
				notACode
			);
		}
		expect((await world.guess(ada, code, { browser })).ok).toBe(true);
	});

	it('a stranger who asks for codes cannot take the place of the code of a browser', async () => {
		const world = aWorld();
		const browser = world.aBrowser();
		const code = await world.sendTo(ada, browser);
		await world.sendTo(ada);
		await world.sendTo(ada, world.aBrowser());
		expect((await world.guess(ada, code, { browser })).ok).toBe(true);
	});

	it('a browser may enter a code that was bound to the address alone', async () => {
		const world = aWorld();
		const code = await world.sendTo(ada);
		expect((await world.guess(ada, code, { browser: world.aBrowser() })).ok).toBe(true);
	});

	it('A20: reading the pending code costs no attempt, and every comparison costs one of the same five', async () => {
		const world = aWorld();
		const browser = world.aBrowser();
		const code = await world.sendTo(ada, browser);
		for (let time = 0; time < 10; time += 1) await world.readPendingCode(browser);
		for (const left of [4, 3, 2, 1, 0]) {
			await world.guess(ada, wrong(code), { browser });
			expect((await world.readPendingCode(browser))?.attemptsLeft).toBe(left);
		}
		expect(errorOf(await world.guess(ada, code, { browser }))).toEqual({
			code: 'too_many_attempts'
		});
	});

	it('codes of another shape work the same', async () => {
		const world = aWorld({ codeShape: { length: 8, alphabet: 'BCDFGHJKLMNPQRSTVWXZ23456789' } });
		const code = await world.sendTo(ada);
		expect(code).toMatch(/^[B-Z2-9]{8}$/);
		const typed = ` ${code.slice(0, 4).toLowerCase()}-${code.slice(4)} `;
		expect((await world.guess(ada, typed)).ok).toBe(true);
	});
});

describe('the session a browser had before', () => {
	it('E03: ends with the new sign-in, and other devices keep theirs', async () => {
		const world = aWorld();
		const old = await world.signIn(ada);
		const elsewhere = await world.signIn(ada);
		const fresh = await world.signIn(ada, old.token);
		const read = (token: SessionToken): Promise<object | null> =>
			world.readSession({ token, mayRefresh: false });
		expect(fresh.token).not.toBe(old.token);
		expect(await read(old.token)).toBeNull();
		expect(await read(elsewhere.token)).not.toBeNull();
		expect(await read(fresh.token)).not.toBeNull();
	});

	it('E02: a planted token that nobody issued does not come to life', async () => {
		const world = aWorld();
		const planted = 'A'.repeat(43) as SessionToken;
		const { token } = await world.signIn(ada, planted);
		expect(token).not.toBe(planted);
		expect(await world.readSession({ token: planted, mayRefresh: false })).toBeNull();
	});

	it('E03: stays when the code was wrong', async () => {
		const world = aWorld();
		const { token } = await world.signIn(ada);
		const code = await world.sendTo(ada);
		await world.guess(ada, wrong(code), { currentToken: token });
		expect(await world.readSession({ token, mayRefresh: false })).not.toBeNull();
	});
});
