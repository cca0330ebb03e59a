import { describe, expect, it } from 'vitest';
import type { Email } from '#lib/domain/email.ts';
import type { Mail } from '#lib/domain/mail.ts';
import { defaultPolicy } from '#lib/domain/policy.ts';
import { aClientInfo, aNetwork, secondsFromStart } from '../../support/domain/builders.ts';
import { aFixture, errorOf, wrong, type Fixture } from '../../support/domain/fixture.ts';

const ada = 'ada@example.com';

const fail = async (fixture: Fixture, times: number): Promise<void> => {
	for (let time = 0; time < times; time += 1) {
		// A new window each time, so that the limit on sends does not get in the way.
		fixture.clock.advance(901);
		const code = await fixture.sendTo(ada);
		await fixture.guess(ada, wrong(code));
	}
};

describe('requesting a code', () => {
	it('emails a code of six digits to the canonical address and returns its expiry', async () => {
		const fixture = aFixture();
		const requested = await fixture.request(' Ada@Example.COM ');
		expect(requested).toEqual({
			ok: true,
			value: { email: ada, expiresAt: secondsFromStart(600) }
		});
		expect(fixture.mailer.mails).toEqual([
			{
				kind: 'sign_in_code',
				to: ada,
				code: expect.stringMatching(/^\d{6}$/),
				lifetime: 600,
				at: secondsFromStart(0),
				client: aClientInfo()
			}
		]);
	});

	it('refuses an invalid address, sends nothing and counts nothing', async () => {
		const fixture = aFixture();
		const requested = await fixture.request('ada@example.com, eve@example.com');
		expect(errorOf(requested)).toEqual({ code: 'invalid_email' });
		expect(fixture.mailer.mails).toEqual([]);
	});

	it('C01: does the same for an address with an account as for one without', async () => {
		const fixture = aFixture();
		await fixture.signIn(ada);
		await fixture.background.flush();
		const before = fixture.mailer.mails.length;
		const known = await fixture.request(ada);
		const unknown = await fixture.request('bob@example.com');
		expect(known.ok && unknown.ok).toBe(true);
		const shape = (mail: Mail | undefined): object => ({ ...mail, to: '', code: '' });
		const [first, second] = fixture.mailer.mails.slice(before);
		expect(shape(first)).toEqual(shape(second));
	});

	it('stores no code in plain text', async () => {
		const fixture = aFixture();
		const browser = fixture.aBrowser();
		const code = await fixture.sendTo(ada, browser);
		const stored = await fixture.challenges.latestOf(
			fixture.secretHasher.ofBrowserKey(browser),
			'sign_in'
		);
		expect(stored).not.toBeNull();
		expect(JSON.stringify(stored)).not.toContain(code);
		expect(JSON.stringify(stored)).not.toContain(browser);
	});

	it('B03: refuses the sixth within 15 minutes, returns the wait, and sends it right after', async () => {
		const fixture = aFixture();
		for (let send = 0; send < 5; send += 1) await fixture.sendTo(ada);
		expect(errorOf(await fixture.request(ada))).toEqual({
			code: 'too_many_sends',
			retryAfter: 900,
			isKnown: false
		});
		fixture.clock.advance(899);
		expect(errorOf(await fixture.request(ada))).toEqual({
			code: 'too_many_sends',
			retryAfter: 1,
			isKnown: false
		});
		fixture.clock.advance(2);
		expect(errorOf(await fixture.request(ada))).toBeNull();
	});

	it('B03: the window slides, so no ten emails arrive around a boundary', async () => {
		const fixture = aFixture();
		await fixture.sendTo(ada);
		fixture.clock.advance(898);
		for (let send = 0; send < 4; send += 1) await fixture.sendTo(ada);
		fixture.clock.advance(3);
		await fixture.sendTo(ada);
		const sixth = await fixture.request(ada);
		expect(errorOf(sixth)).toEqual({ code: 'too_many_sends', retryAfter: 897, isKnown: false });
		expect(fixture.mailer.mails).toHaveLength(6);
	});

	it('B14: a request after the stated wait is not refused again', async () => {
		const fixture = aFixture();
		for (let send = 0; send < 20; send += 1) {
			const requested = await fixture.request(ada);
			if (requested.ok) {
				fixture.clock.advance(7.3);
				continue;
			}
			expect(requested.error.code).toBe('too_many_sends');
			if (requested.error.code === 'too_many_sends')
				fixture.clock.advance(requested.error.retryAfter);
			expect((await fixture.request(ada)).ok).toBe(true);
		}
	});

	it('B04: every spelling of an address counts in one bucket', async () => {
		const fixture = aFixture();
		const spellings = ['a@x.org', 'A@X.ORG', ' a@x.org ', 'ａ@x.org', 'a@ｘ．org'];
		for (const email of spellings) {
			expect((await fixture.request(email)).ok).toBe(true);
		}
		expect(errorOf(await fixture.request('a@x.org'))?.code).toBe('too_many_sends');
		expect(new Set(fixture.mailer.mails.map((mail) => mail.to))).toEqual(new Set(['a@x.org']));
	});

	it('R16 B06: counts the variants of one mailbox together and other mailboxes separately', async () => {
		const fixture = aFixture();
		const variants = ['a.b@gmail.com', 'ab@gmail.com', 'a.b+tag@googlemail.com', 'AB+x@GMAIL.com'];
		for (const variant of [...variants, 'a.b+other@gmail.com']) await fixture.sendTo(variant);
		for (const variant of variants) {
			expect(errorOf(await fixture.request(variant))?.code).toBe('too_many_sends');
		}
		for (const other of ['abc@gmail.com', 'ab@example.com']) {
			expect((await fixture.request(other)).ok).toBe(true);
		}
	});

	it('R16 I06: sends each variant of a mailbox a separate code, which opens a separate account', async () => {
		const fixture = aFixture();
		const codes = new Map<string, string>();
		for (const variant of ['a@x.org', 'a+b@x.org'])
			codes.set(variant, await fixture.sendTo(variant));
		expect((await fixture.guess('a@x.org', codes.get('a+b@x.org') ?? '')).ok).toBe(false);
		const ids = new Set<string>();
		for (const [variant, code] of codes) {
			const verified = await fixture.guess(variant, code);
			if (!verified.ok) throw new Error(`${variant}: ${verified.error.code}`);
			expect(verified.value.user.email).toBe(variant);
			ids.add(verified.value.user.id);
		}
		expect(ids.size).toBe(2);
	});

	it('R16: wrong guesses at one variant do not limit the codes of another', async () => {
		const fixture = aFixture();
		for (let guess = 0; guess < 60; guess += 1) {
			await fixture.stores.throttle.countFailure('a+b@x.org' as Email, fixture.clock.now());
		}
		for (const [variant, left] of [
			['a+b@x.org', 0],
			['a@x.org', 4]
		] as const) {
			const code = await fixture.sendTo(variant);
			expect(await fixture.guess(variant, wrong(code))).toMatchObject({
				error: { attemptsLeft: left }
			});
		}
	});

	it('a throttled request sends nothing and keeps the earlier code valid', async () => {
		const fixture = aFixture();
		let code = '';
		for (let send = 0; send < 5; send += 1) code = await fixture.sendTo(ada);
		await fixture.request(ada);
		expect(fixture.mailer.mails).toHaveLength(5);
		expect((await fixture.guess(ada, code)).ok).toBe(true);
	});

	it('M05/M11: a refused email is an error, its send is given back, and the earlier code stays valid', async () => {
		const fixture = aFixture();
		const earlier = await fixture.sendTo(ada);
		fixture.mailer.meet('refused');
		for (let time = 0; time < 10; time += 1) {
			const requested = await fixture.request(ada);
			expect(errorOf(requested)).toEqual({ code: 'delivery_failed' });
		}
		fixture.mailer.meet('sent');
		expect((await fixture.guess(ada, earlier)).ok).toBe(true);
		for (let send = 0; send < 4; send += 1) await fixture.sendTo(ada);
		expect(errorOf(await fixture.request(ada))?.code).toBe('too_many_sends');
	});

	it('R04: an email without room in the queue returns the wait, its send is given back, and the earlier code stays valid', async () => {
		const fixture = aFixture();
		const earlier = await fixture.sendTo(ada);
		fixture.mailer.meet('busy');
		for (let time = 0; time < 10; time += 1) {
			expect(errorOf(await fixture.request(ada))).toEqual({ code: 'mail_busy', retryAfter: 10 });
		}
		expect(fixture.mailer.mails).toHaveLength(1);
		fixture.mailer.meet('sent');
		expect((await fixture.guess(ada, earlier)).ok).toBe(true);
		for (let send = 0; send < 4; send += 1) await fixture.sendTo(ada);
		expect(errorOf(await fixture.request(ada))?.code).toBe('too_many_sends');
	});

	it('M11: an email of unknown outcome counts as sent, and its code works when it arrives', async () => {
		const fixture = aFixture();
		const earlier = await fixture.sendTo(ada);
		fixture.mailer.meet('unknown');
		for (let time = 0; time < 4; time += 1) expect((await fixture.request(ada)).ok).toBe(true);
		expect(errorOf(await fixture.request(ada))?.code).toBe('too_many_sends');
		const arrived = fixture.mailer.lastCodeTo(ada) ?? '';
		expect(arrived).not.toBe(earlier);
		expect(errorOf(await fixture.guess(ada, earlier))).toEqual({
			code: 'invalid_code',
			attemptsLeft: 4
		});
		expect((await fixture.guess(ada, arrived)).ok).toBe(true);
	});

	it.each(['refused', 'unknown', 'busy'] as const)(
		'M05/M11: for a code that only accounts get, the outcome %s does not change the response, so that it reveals nothing',
		async (delivery) => {
			const fixture = aFixture();
			await fixture.signIn(ada);
			await fixture.background.flush();
			fixture.mailer.meet(delivery);
			expect((await fixture.request(ada, null, 'email_verification')).ok).toBe(true);
			await fixture.background.flush();
			expect(fixture.background.failures).toEqual([]);
			fixture.mailer.meet('sent');
			// One was sent to sign in. None is given back, as an address without an account gets no such
			// email.
			for (let send = 2; send < 5; send += 1) await fixture.sendTo(ada);
			expect(errorOf(await fixture.request(ada))?.code).toBe('too_many_sends');
		}
	);

	it('B05: sign-in codes and verification codes are limited together', async () => {
		const fixture = aFixture();
		for (let send = 0; send < 3; send += 1) await fixture.request(ada);
		for (let send = 0; send < 2; send += 1) await fixture.request(ada, null, 'email_verification');
		const refused = { code: 'too_many_sends', retryAfter: 900, isKnown: false };
		expect(errorOf(await fixture.request(ada))).toEqual(refused);
		expect(errorOf(await fixture.request(ada, null, 'email_verification'))).toEqual(refused);
	});

	it('a browser can have a pending sign-in code and a pending verification code', async () => {
		const fixture = aFixture();
		await fixture.signIn(ada);
		const browser = fixture.aBrowser();
		const code = await fixture.sendTo(ada, browser);
		const proof = await fixture.sendTo(ada, browser, 'email_verification');
		expect((await fixture.readPendingCode(browser))?.attemptsLeft).toBe(5);
		expect((await fixture.guess(ada, code, { browser })).ok).toBe(true);
		// Signing in consumes the sign-in codes and no other.
		expect(
			(await fixture.verifyEmail({ email: ada, code: proof, browser, network: aNetwork() })).ok
		).toBe(true);
	});

	it('each sentinel address causes its failure', async () => {
		const fixture = aFixture();
		const refused = await fixture.request('bounces@example.test');
		expect(errorOf(refused)).toEqual({ code: 'delivery_failed' });
		expect(errorOf(await fixture.request('busy@example.test'))?.code).toBe('mail_busy');
		expect((await fixture.request('slow@example.test')).ok).toBe(true);
	});

	it('A12: the lifetime of a code begins when it was handed over, however long that took', async () => {
		const slow = aFixture();
		const fixture = aFixture({
			deps: {
				clock: slow.clock,
				mailer: {
					send: async () => {
						slow.clock.advance(8);
						return 'sent';
					}
				}
			}
		});
		const requested = await fixture.request(ada);
		expect(requested.ok && requested.value.expiresAt).toEqual(secondsFromStart(608));
	});

	it('a mailer that throws causes an error, and no code is stored', async () => {
		const fixture = aFixture({
			deps: { mailer: { send: () => Promise.reject(new Error('bug')) } }
		});
		const browser = fixture.aBrowser();
		await expect(fixture.request(ada, browser)).rejects.toThrow('bug');
		expect(await fixture.readPendingCode(browser)).toBeNull();
	});
});

describe('requesting a code after a row of wrong guesses (A06)', () => {
	const row = defaultPolicy.guessing.strictAfter;
	const attemptsOfNextCode = async (fixture: Fixture): Promise<number> => {
		fixture.clock.advance(901);
		const browser = fixture.aBrowser();
		await fixture.sendTo(ada, browser);
		return (await fixture.readPendingCode(browser))?.attemptsLeft ?? -1;
	};

	it('A06: codes allow five guesses until fifty in a row were wrong, over any number of codes', async () => {
		const fixture = aFixture();
		await fail(fixture, row - 1);
		expect(await attemptsOfNextCode(fixture)).toBe(5);
		await fail(fixture, 1);
		expect(await attemptsOfNextCode(fixture)).toBe(defaultPolicy.guessing.strictAttempts);
	});

	it('A06: in that state a code allows one guess, and the right one still signs in', async () => {
		const fixture = aFixture();
		await fail(fixture, row);
		fixture.clock.advance(901);
		const missed = await fixture.sendTo(ada);
		expect(errorOf(await fixture.guess(ada, wrong(missed)))).toEqual({
			code: 'invalid_code',
			attemptsLeft: 0
		});
		expect(errorOf(await fixture.guess(ada, missed))).toEqual({ code: 'too_many_attempts' });
		expect((await fixture.guess(ada, await fixture.sendTo(ada))).ok).toBe(true);
	});

	it('A06: other clients cannot lock out the browser that requested the code', async () => {
		const fixture = aFixture();
		await fail(fixture, row);
		fixture.clock.advance(901);
		const browser = fixture.aBrowser();
		const code = await fixture.sendTo(ada, browser);
		for (let time = 0; time < 30; time += 1) {
			await fixture.guess(ada, wrong(code));
			await fixture.guess(ada, wrong(code), { browser: fixture.aBrowser() });
		}
		expect((await fixture.guess(ada, code, { browser })).ok).toBe(true);
	});

	it('A06: a successful sign-in ends the row', async () => {
		const fixture = aFixture();
		await fail(fixture, row);
		fixture.clock.advance(901);
		expect((await fixture.guess(ada, await fixture.sendTo(ada))).ok).toBe(true);
		expect(await attemptsOfNextCode(fixture)).toBe(5);
	});

	it('A06: pruning removes a row that ended long ago', async () => {
		const fixture = aFixture();
		await fail(fixture, row);
		fixture.clock.advance(defaultPolicy.guessing.memory + 1);
		await fixture.pruneThrottle();
		expect(await attemptsOfNextCode(fixture)).toBe(5);
	});

	it('A06: the wrong guesses of one address do not count for another', async () => {
		const fixture = aFixture();
		await fail(fixture, row);
		const browser = fixture.aBrowser();
		await fixture.sendTo('bob@example.com', browser);
		expect((await fixture.readPendingCode(browser))?.attemptsLeft).toBe(5);
	});

	it('a policy whose strict attempts exceed the attempts of a code counts no attempt as used', async () => {
		const guessing = { ...defaultPolicy.guessing, strictAfter: 0, strictAttempts: 9 };
		const fixture = aFixture({ policy: { ...defaultPolicy, guessing } });
		expect(await attemptsOfNextCode(fixture)).toBe(5);
	});
});
