import { describe, expect, it } from 'vitest';
import { defaultPolicy } from '#lib/domain/policy.ts';
import { secondsAfter } from '#lib/domain/time.ts';
import type { VerifiedCode } from '#lib/domain/sign-in/verify-code.ts';
import { aRequestSource } from '../../support/domain/builders.ts';
import { aSignedIn, errorOf, type Fixture, wrong } from '../../support/domain/fixture.ts';

const ada = 'ada@example.com';
const fresh = 'new@example.com';
const both = ['code', 'link'] as const;
const { freshFor } = defaultPolicy.session;

/** Ada, whose sign-in was long enough ago. */
const stale = async (): Promise<{ fixture: Fixture; signedIn: VerifiedCode }> => {
	const { fixture, signedIn } = await aSignedIn(ada, { reauthentication: true });
	await fixture.background.flush();
	fixture.clock.advance(freshFor);
	return { fixture, signedIn };
};

const mailsTo = (fixture: Fixture, address: string): readonly string[] =>
	fixture.mailer.mails.filter((mail) => mail.to === address).map((mail) => mail.kind);

describe('a change of address requested by a session that is not fresh', () => {
	it.each(both)(
		'by %s, first emails a code to the current address that names the new one',
		async (way) => {
			const { fixture, signedIn } = await stale();
			expect(errorOf(await fixture.askToMove(signedIn, ' New@Example.com', way))).toEqual({
				code: 'session_not_fresh'
			});
			expect(fixture.mailer.mails.at(-1)).toEqual({
				kind: 'reauthentication_code',
				to: ada,
				newEmail: fresh,
				code: expect.stringMatching(/^\d{6}$/),
				lifetime: 600,
				at: fixture.clock.now(),
				source: aRequestSource()
			});
			expect(mailsTo(fixture, fresh)).toEqual([]);
			expect(await fixture.readEmailChange(signedIn.user)).toBeNull();
		}
	);

	it.each(both)('by %s, proceeds with that code, once', async (way) => {
		const { fixture, signedIn } = await stale();
		const code = await fixture.reauthenticationCode(signedIn, fresh, way);
		expect(await fixture.askToMove(signedIn, fresh, way, code)).toMatchObject({ ok: true });
		expect(mailsTo(fixture, fresh)).toEqual([`email_change_${way}`]);
		expect(errorOf(await fixture.askToMove(signedIn, fresh, way, code))?.code).toBe('invalid_code');
	});

	it('the page can say when the code was sent and how long it lives, until it is over or used', async () => {
		const { fixture, signedIn } = await stale();
		const read = () => fixture.readReauthenticationCode(signedIn.session);
		expect(await read()).toBeNull();
		const code = await fixture.reauthenticationCode(signedIn, fresh);
		const sentAt = fixture.clock.now();
		fixture.clock.advance(599);
		await fixture.askToMove(signedIn, fresh, 'code', wrong(code));
		expect(await read()).toEqual({ sentAt, expiresAt: secondsAfter(sentAt, 600) });
		fixture.clock.advance(1);
		expect(await read()).toBeNull();
		const again = await fixture.reauthenticationCode(signedIn, fresh);
		expect(await read()).toMatchObject({ expiresAt: secondsAfter(fixture.clock.now(), 600) });
		await fixture.askToMove(signedIn, fresh, 'code', again);
		expect(await read()).toBeNull();
	});

	it('the page says nothing about a code whose attempts are used up, until another is sent', async () => {
		const { fixture, signedIn } = await stale();
		const read = () => fixture.readReauthenticationCode(signedIn.session);
		const code = await fixture.reauthenticationCode(signedIn, fresh);
		for (let left = defaultPolicy.code.attempts - 1; left >= 0; left -= 1) {
			expect(await read()).not.toBeNull();
			const refused = await fixture.askToMove(signedIn, fresh, 'code', wrong(code));
			expect(errorOf(refused)).toEqual({ code: 'invalid_code', attemptsLeft: left });
		}
		expect(await read()).toBeNull();
		await fixture.reauthenticationCode(signedIn, fresh);
		expect(await read()).not.toBeNull();
	});

	it('counts nothing towards the new address before the right code came', async () => {
		const { fixture, signedIn } = await stale();
		const code = await fixture.reauthenticationCode(signedIn, fresh);
		const refused = await fixture.askToMove(signedIn, fresh, 'code', wrong(code));
		expect(errorOf(refused)).toEqual({ code: 'invalid_code', attemptsLeft: 4 });
		expect(mailsTo(fixture, fresh)).toEqual([]);
		for (let send = 0; send < 5; send += 1) await fixture.sendTo(fresh);
	});

	it('the code stays valid, with all its attempts, when the new address has no sends left', async () => {
		const { fixture, signedIn } = await stale();
		for (let send = 0; send < 5; send += 1) await fixture.sendTo(fresh);
		fixture.clock.advance(defaultPolicy.throttle.window - 60);
		const code = await fixture.reauthenticationCode(signedIn, fresh);
		for (let tried = 0; tried < defaultPolicy.code.attempts; tried += 1) {
			const refused = await fixture.askToMove(signedIn, fresh, 'code', code);
			expect(errorOf(refused)).toEqual({ code: 'too_many_sends', retryAfter: 60, isKnown: true });
		}
		fixture.clock.advance(60);
		expect((await fixture.askToMove(signedIn, fresh, 'code', code)).ok).toBe(true);
	});

	it('of two concurrent requests with one code, one gets its email and the other gives its send back', async () => {
		const { fixture, signedIn } = await stale();
		const code = await fixture.reauthenticationCode(signedIn, fresh);
		const both = await Promise.all(
			[1, 2].map(() => fixture.askToMove(signedIn, fresh, 'code', code))
		);
		expect(both.map(errorOf).map((error) => error?.code)).toEqual([undefined, 'invalid_code']);
		for (let send = 0; send < 4; send += 1) await fixture.sendTo(fresh);
		expect(errorOf(await fixture.request(fresh))?.code).toBe('too_many_sends');
	});

	it('the code is valid for its new address only, and stays valid for it', async () => {
		const { fixture, signedIn } = await stale();
		const code = await fixture.reauthenticationCode(signedIn, fresh);
		const elsewhere = await fixture.askToMove(signedIn, 'other@example.com', 'code', code);
		expect(errorOf(elsewhere)?.code).toBe('invalid_code');
		expect((await fixture.askToMove(signedIn, fresh, 'code', code)).ok).toBe(true);
	});

	it('A10: neither a sign-in code nor a verification code is accepted, and both stay valid', async () => {
		const { fixture, signedIn } = await stale();
		const codeKey = fixture.aCodeKey();
		for (const purpose of ['sign_in', 'email_verification'] as const) {
			const code = await fixture.sendTo(ada, codeKey, purpose);
			const refused = await fixture.askToMove(signedIn, fresh, 'code', code);
			expect(errorOf(refused)).toEqual({ code: 'invalid_code', attemptsLeft: null });
			expect((await fixture.check(ada, code, { purpose, codeKey })).ok).toBe(true);
		}
	});

	it('the code counts in the sends of the account’s known devices, which unknown clients cannot use up', async () => {
		const { fixture, signedIn } = await stale();
		for (let send = 0; send < 5; send += 1) await fixture.sendTo(ada);
		for (let send = 0; send < 5; send += 1) {
			expect(errorOf(await fixture.askToMove(signedIn, fresh))?.code).toBe('session_not_fresh');
		}
		expect(errorOf(await fixture.askToMove(signedIn, fresh))?.code).toBe('too_many_sends');
	});

	it('a code that cannot be handed over gives an error and its send back, and the earlier one stays valid', async () => {
		const { fixture, signedIn } = await stale();
		const code = await fixture.reauthenticationCode(signedIn, fresh);
		fixture.mailer.meet('not_sent');
		for (let send = 0; send < 6; send += 1) {
			const refused = await fixture.askToMove(signedIn, fresh);
			expect(errorOf(refused)?.code).toBe('delivery_failed');
		}
		fixture.mailer.meet('sent');
		expect((await fixture.askToMove(signedIn, fresh, 'code', code)).ok).toBe(true);
	});

	it('a code whose email has an unknown outcome works when it arrives', async () => {
		const { fixture, signedIn } = await stale();
		fixture.mailer.meet('unknown');
		const requested = await fixture.askToMove(signedIn, fresh);
		expect(errorOf(requested)?.code).toBe('session_not_fresh');
		const arrived = fixture.mailer.lastCodeTo(ada, 'reauthentication_code');
		expect((await fixture.askToMove(signedIn, fresh, 'code', arrived)).ok).toBe(true);
	});

	it('errors about the new address come before anything is sent', async () => {
		const { fixture, signedIn } = await stale();
		const sent = fixture.mailer.mails.length;
		expect(errorOf(await fixture.askToMove(signedIn, 'new'))?.code).toBe('invalid_email');
		expect(errorOf(await fixture.askToMove(signedIn, ada))?.code).toBe('same_email');
		expect(fixture.mailer.mails).toHaveLength(sent);
	});
});

describe('a session is fresh', () => {
	it(`until ${freshFor} seconds after its sign-in`, async () => {
		const { fixture, signedIn } = await aSignedIn(ada, { reauthentication: true });
		fixture.clock.advance(freshFor - 1);
		expect((await fixture.askToMove(signedIn, fresh)).ok).toBe(true);
		fixture.clock.advance(1);
		expect(errorOf(await fixture.askToMove(signedIn, fresh))?.code).toBe('session_not_fresh');
	});

	it('never by a refresh', async () => {
		const { fixture, token } = await aSignedIn(ada, { reauthentication: true });
		fixture.clock.advance(defaultPolicy.session.refreshAfter);
		const refreshed = await fixture.readSession({ token, mayRefresh: true });
		expect(refreshed?.refreshed).toBe(true);
		if (refreshed === null) throw new Error('the session is gone');
		expect(errorOf(await fixture.askToMove(refreshed, fresh))?.code).toBe('session_not_fresh');
	});

	it('at any age if the installation requires no code', async () => {
		const { fixture, signedIn } = await aSignedIn(ada, { reauthentication: false });
		fixture.clock.advance(freshFor * 100);
		expect((await fixture.askToMove(signedIn, fresh)).ok).toBe(true);
	});
});
