import { describe, expect, it } from 'vitest';
import { defaultPolicy } from '#lib/domain/policy.ts';
import {
	aRequestSource,
	anEmail,
	aNetwork,
	secondsFromStart,
	start
} from '../../support/domain/builders.ts';
import { aFixture, aSignedIn, errorOf, type Fixture, wrong } from '../../support/domain/fixture.ts';

const ada = 'ada@example.com';
const fresh = 'new@example.com';
const both = ['code', 'link'] as const;

/** The emails to a mailbox since then, other than notices. */
const mailsTo = (fixture: Fixture, address: string): readonly string[] =>
	fixture.mailer.mails.filter((mail) => mail.to === address).map((mail) => mail.kind);

describe('requesting another address', () => {
	it('by code, emails a code to the new address that names the account', async () => {
		const { fixture, signedIn } = await aSignedIn(ada);
		expect(await fixture.askToMove(signedIn, ' New@Example.COM ')).toEqual({
			ok: true,
			value: { email: fresh }
		});
		expect(fixture.mailer.mails.at(-1)).toEqual({
			kind: 'email_change_code',
			to: fresh,
			account: ada,
			code: expect.stringMatching(/^\d{6}$/),
			lifetime: 600,
			at: secondsFromStart(0),
			source: aRequestSource()
		});
		expect(fixture.notices).toEqual([]);
	});

	it('by link, emails a link to the new address and the redirect target', async () => {
		const { fixture, user, session } = await aSignedIn(ada);
		await fixture.background.flush();
		const source = aRequestSource({ ipAddress: '192.0.2.7' });
		const request = { user, session, newEmail: fresh, currentCode: null, source };
		const requested = await fixture.requestEmailChangeByLink(
			{ ...request, network: aNetwork() },
			'/app/settings'
		);
		await fixture.background.flush();
		expect(requested).toEqual({ ok: true, value: { email: fresh } });
		expect(fixture.mailer.mails.at(-1)).toEqual({
			kind: 'email_change_link',
			to: fresh,
			account: ada,
			token: expect.stringMatching(/^[A-Za-z0-9_-]{86}$/),
			callbackUrl: '/app/settings',
			lifetime: 3600,
			at: secondsFromStart(0),
			source: aRequestSource({ ipAddress: '192.0.2.7' })
		});
	});

	it('stores neither code nor token in plain text', async () => {
		const { fixture, signedIn } = await aSignedIn(ada);
		const { user } = signedIn;
		const code = await fixture.codeToMove(signedIn, fresh);
		const link = await fixture.linkToMove(signedIn, fresh);
		for (const [purpose, secret] of [
			['email_change', code],
			['email_change_link', link]
		] as const) {
			const stored = await fixture.challenges.latestOf(user.id, purpose);
			expect(stored).toMatchObject({ email: fresh, boundTo: user.id, createdAt: start });
			expect(stored?.secretHash).not.toContain(secret);
		}
	});

	it.each(both)('by %s, refuses an invalid address and counts nothing', async (way) => {
		const { fixture, signedIn } = await aSignedIn(ada);
		for (const typed of ['', 'new', 'new@example.com, eve@example.com', 'new@example.com\0']) {
			const requested = await fixture.askToMove(signedIn, typed, way);
			expect(errorOf(requested)).toEqual({ code: 'invalid_email' });
		}
		expect(await fixture.readEmailChange(signedIn.user)).toBeNull();
	});

	it('K14: the account’s own address, in any spelling, is refused and counts nothing', async () => {
		const { fixture, signedIn } = await aSignedIn(ada);
		for (const typed of [ada, 'ADA@example.com', ' ada@EXAMPLE.com ', 'ａda@example.com']) {
			for (const way of both) {
				expect(errorOf(await fixture.askToMove(signedIn, typed, way))).toEqual({
					code: 'same_email'
				});
			}
		}
		// One was sent to sign in; four are left.
		for (let send = 0; send < 4; send += 1) expect((await fixture.request(ada)).ok).toBe(true);
		expect(await fixture.readEmailChange(signedIn.user)).toBeNull();
	});

	it('K18: with links disabled, links alone are refused, and nothing is counted or sent', async () => {
		const { fixture, signedIn } = await aSignedIn(ada, { changeLinks: false });
		for (let time = 0; time < 10; time += 1) {
			expect(errorOf(await fixture.askToMove(signedIn, fresh, 'link'))).toEqual({
				code: 'links_off'
			});
		}
		expect(fixture.notices).toEqual([]);
		expect((await fixture.move(signedIn, fresh)).user.email).toBe(fresh);
	});
});

describe('how often an address can be requested', () => {
	it('B05: requests of any account, by code or link, count with the sign-in codes of the new address', async () => {
		const { fixture, signedIn: adas } = await aSignedIn(ada);
		const bobs = await fixture.signIn('bob@example.com');
		await fixture.sendTo(fresh);
		await fixture.request(fresh, null, 'email_verification');
		await fixture.askToMove(adas, fresh, 'code');
		await fixture.askToMove(adas, fresh, 'link');
		fixture.clock.advance(100);
		await fixture.askToMove(bobs, 'NEW@example.com', 'code');
		const refused = { code: 'too_many_sends', retryAfter: 800, isKnown: true };
		for (const way of both) {
			expect(errorOf(await fixture.askToMove(adas, fresh, way))).toEqual(refused);
		}
		const unknown = { ...refused, isKnown: false };
		expect(errorOf(await fixture.request(fresh))).toEqual(unknown);
		expect(errorOf(await fixture.request(fresh, null, 'email_verification'))).toEqual(unknown);
		// The old address keeps its sends.
		expect((await fixture.request(ada)).ok).toBe(true);
		fixture.clock.advance(800);
		expect(errorOf(await fixture.askToMove(adas, fresh))).toBeNull();
	});

	it('B05: a refused request sends and notifies nothing, and keeps the earlier code valid', async () => {
		const { fixture, signedIn } = await aSignedIn(ada);
		let code = '';
		for (let send = 0; send < 5; send += 1) code = await fixture.codeToMove(signedIn, fresh);
		const before = fixture.mailer.mails.length;
		for (const way of both) await fixture.askToMove(signedIn, fresh, way);
		expect(fixture.mailer.mails).toHaveLength(before);
		expect(fixture.notices).toEqual([]);
		expect(errorOf(await fixture.moveByCode(signedIn, fresh, code))).toBeNull();
	});

	it('A06: an address after many wrong codes gets a code that allows fewer of them', async () => {
		const { fixture, signedIn } = await aSignedIn(ada);
		for (let time = 0; time < defaultPolicy.wrongCodes.strictAfter; time += 1) {
			fixture.clock.advance(901);
			await fixture.enterCode(fresh, wrong(await fixture.sendTo(fresh)));
		}
		const code = await fixture.codeToMove(signedIn, fresh);
		expect(errorOf(await fixture.moveByCode(signedIn, fresh, wrong(code)))).toEqual({
			code: 'invalid_code',
			attemptsLeft: 0
		});
		expect(errorOf(await fixture.moveByCode(signedIn, fresh, code))).toEqual({
			code: 'too_many_attempts'
		});
	});
});

describe('a taken address', () => {
	const taken = 'taken@example.com';
	const deleted = 'gone@example.com';
	const twoOthers = async (): Promise<Fixture> => {
		const fixture = aFixture();
		await fixture.signIn(taken);
		await fixture.remove(await fixture.signIn(deleted));
		await fixture.background.flush();
		return fixture;
	};

	it.each(both)('C04: by %s, is answered and shown like a free one', async (way) => {
		const fixture = await twoOthers();
		const signedIn = await fixture.signIn(ada);
		const { user } = signedIn;
		for (const to of [fresh, taken, deleted]) {
			expect(await fixture.askToMove(signedIn, to, way)).toEqual({
				ok: true,
				value: { email: to }
			});
			expect(await fixture.readEmailChange(user)).toEqual({
				to,
				way,
				expiresAt: secondsFromStart(way === 'link' ? 3600 : 600)
			});
		}
		expect(fixture.background.failures).toEqual([]);
	});

	it.each(both)('C04: by %s, gets no email, and its account is unchanged', async (way) => {
		const fixture = await twoOthers();
		const signedIn = await fixture.signIn(ada);
		for (const address of [taken, deleted]) {
			const account = await fixture.accounts.find(anEmail(address));
			const mails = mailsTo(fixture, address);
			await fixture.askToMove(signedIn, address, way);
			expect(mailsTo(fixture, address)).toEqual(mails);
			expect(await fixture.accounts.find(anEmail(address))).toEqual(account);
		}
	});

	it('C04: even its guessed code changes nothing', async () => {
		const fixture = await twoOthers();
		const signedIn = await fixture.signIn(ada);
		for (const to of [taken, deleted]) {
			const account = await fixture.accounts.find(anEmail(to));
			await fixture.askToMove(signedIn, to);
			const moved = await fixture.moveByCode(signedIn, to, fixture.luckyGuess());
			expect(errorOf(moved)).toEqual({ code: 'email_taken' });
			expect(await fixture.accounts.find(anEmail(to))).toEqual(account);
			expect(await fixture.whoIs(signedIn.token)).toEqual(signedIn.user);
		}
		expect(fixture.notices).toEqual([]);
	});

	it('C04: by link, the current address is notified as for a free one, so that the notice reveals nothing', async () => {
		const fixture = await twoOthers();
		const signedIn = await fixture.signIn(ada);
		for (const to of [fresh, taken, deleted]) await fixture.askToMove(signedIn, to, 'link');
		expect(fixture.notices).toEqual(
			[fresh, taken, deleted].map((to) => ({
				stage: 'requested',
				from: ada,
				to,
				at: start,
				source: aRequestSource()
			}))
		);
	});
});

describe('an email to a new address that is not delivered', () => {
	const fates = both.flatMap((way) => [[way, 'not_sent'] as const, [way, 'unknown'] as const]);

	it.each(fates)(
		'C04: by %s, with the outcome %s, does not change the response, and its send counts',
		async (way, fate) => {
			const { fixture, signedIn } = await aSignedIn(ada);
			await fixture.signIn('bob@example.com');
			await fixture.background.flush();
			fixture.mailer.meet(fate);
			// As for a taken address, which gets no email that could be refused.
			for (const address of [fresh, 'bob@example.com']) {
				const sends = address === fresh ? 5 : 4;
				for (let time = 0; time < sends; time += 1) {
					expect((await fixture.askToMove(signedIn, address, way)).ok).toBe(true);
				}
				expect(errorOf(await fixture.askToMove(signedIn, address, way))?.code).toBe(
					'too_many_sends'
				);
			}
			expect(fixture.background.failures).toEqual([]);
		}
	);

	it('contains no address in its log entries', async () => {
		const { fixture, signedIn } = await aSignedIn(ada);
		await fixture.askToMove(signedIn, 'bounces@example.test');
		fixture.clock.advance(600);
		await fixture.sendDue();
		expect(fixture.logged).toMatchObject([
			{ event: 'mail_given_up', mail: 'email_change_code', failure: 'expired' }
		]);
		expect(JSON.stringify(fixture.logged)).not.toMatch(/bounces|ada/);
	});
});
