import { describe, expect, it } from 'vitest';
import type { Mail } from '#lib/domain/mail.ts';
import { defaultPolicy } from '#lib/domain/policy.ts';
import { aRequestSource, secondsFromStart } from '../../support/domain/builders.ts';
import { aFixture, errorOf, wrong, type Fixture } from '../../support/domain/fixture.ts';

const ada = 'ada@example.com';

const fail = async (fixture: Fixture, times: number): Promise<void> => {
	for (let time = 0; time < times; time += 1) {
		// A new window each time, so that the limit on sends does not get in the way.
		fixture.clock.advance(901);
		const code = await fixture.sendTo(ada);
		await fixture.enterCode(ada, wrong(code));
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
				source: aRequestSource()
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
		for (let send = 0; send < 5; send += 1) await fixture.sendTo('a.b+tag@gmail.com');
		expect(errorOf(await fixture.request('ab@gmail.com'))?.code).toBe('too_many_sends');
		expect((await fixture.request('abc@gmail.com')).ok).toBe(true);
	});

	it.each([
		['M05/M11: a refused email', 'not_sent', { code: 'delivery_failed' }],
		['R04: an email without room in the queue', 'busy', { code: 'mail_busy', retryAfter: 10 }]
	] as const)(
		'%s is an error, its send is given back, and the earlier code stays valid',
		async (_email, delivery, error) => {
			const fixture = aFixture();
			const earlier = await fixture.sendTo(ada);
			fixture.mailer.meet(delivery);
			for (let time = 0; time < 10; time += 1) {
				expect(errorOf(await fixture.request(ada))).toEqual(error);
			}
			expect(fixture.mailer.mails).toHaveLength(1);
			fixture.mailer.meet('sent');
			expect((await fixture.enterCode(ada, earlier)).ok).toBe(true);
			for (let send = 0; send < 4; send += 1) await fixture.sendTo(ada);
			expect(errorOf(await fixture.request(ada))?.code).toBe('too_many_sends');
		}
	);

	it('M11: an email of unknown outcome counts as sent, and its code works when it arrives', async () => {
		const fixture = aFixture();
		const earlier = await fixture.sendTo(ada);
		fixture.mailer.meet('unknown');
		for (let time = 0; time < 4; time += 1) expect((await fixture.request(ada)).ok).toBe(true);
		expect(errorOf(await fixture.request(ada))?.code).toBe('too_many_sends');
		const arrived = fixture.mailer.lastCodeTo(ada) ?? '';
		expect(arrived).not.toBe(earlier);
		expect(errorOf(await fixture.enterCode(ada, earlier))).toEqual({
			code: 'invalid_code',
			attemptsLeft: 4
		});
		expect((await fixture.enterCode(ada, arrived)).ok).toBe(true);
	});

	it.each(['not_sent', 'unknown', 'busy'] as const)(
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

	it('A12: the lifetime of a code begins when it was handed over, however long that took', async () => {
		const slow = aFixture();
		const fixture = aFixture({
			clock: slow.clock,
			mailer: {
				send: async () => {
					slow.clock.advance(8);
					return 'sent';
				}
			}
		});
		const requested = await fixture.request(ada);
		expect(requested.ok && requested.value.expiresAt).toEqual(secondsFromStart(608));
	});

	it('a mailer that throws causes an error, and no code is stored', async () => {
		const fixture = aFixture({
			mailer: { send: () => Promise.reject(new Error('bug')) }
		});
		const codeKey = fixture.aCodeKey();
		await expect(fixture.request(ada, codeKey)).rejects.toThrow('bug');
		expect(await fixture.readPendingCode(codeKey)).toBeNull();
	});
});

describe('requesting a code after a row of wrong codes (A06)', () => {
	const row = defaultPolicy.wrongCodes.strictAfter;

	it('A06: a code then allows one attempt, and the right one still signs in', async () => {
		const fixture = aFixture();
		await fail(fixture, row);
		fixture.clock.advance(901);
		const missed = await fixture.sendTo(ada);
		expect(errorOf(await fixture.enterCode(ada, wrong(missed)))).toEqual({
			code: 'invalid_code',
			attemptsLeft: 0
		});
		expect(errorOf(await fixture.enterCode(ada, missed))).toEqual({ code: 'too_many_attempts' });
		expect((await fixture.enterCode(ada, await fixture.sendTo(ada))).ok).toBe(true);
	});

	it('A06: other clients cannot lock out the browser that requested the code', async () => {
		const fixture = aFixture();
		await fail(fixture, row);
		fixture.clock.advance(901);
		const codeKey = fixture.aCodeKey();
		const code = await fixture.sendTo(ada, codeKey);
		for (let time = 0; time < 30; time += 1) {
			await fixture.enterCode(ada, wrong(code));
			await fixture.enterCode(ada, wrong(code), { codeKey: fixture.aCodeKey() });
		}
		expect((await fixture.enterCode(ada, code, { codeKey })).ok).toBe(true);
	});

	it('a policy whose strict attempts exceed the attempts of a code counts no attempt as used', async () => {
		const wrongCodes = { ...defaultPolicy.wrongCodes, strictAfter: 0, strictAttempts: 9 };
		const fixture = aFixture({ policy: { ...defaultPolicy, wrongCodes } });
		const codeKey = fixture.aCodeKey();
		await fixture.sendTo(ada, codeKey);
		expect(await fixture.readPendingCode(codeKey)).toMatchObject({ attemptsLeft: 5 });
	});
});
