import { describe, expect, it } from 'vitest';
import { StoreUnavailable } from '#lib/domain/errors.ts';
import { defaultPolicy } from '#lib/domain/policy.ts';
import type { SessionToken } from '#lib/domain/secret.ts';
import type { SignIns } from '#lib/domain/sign-in/ports.ts';
import {
	aRequestSource,
	aName,
	anEmail,
	anOpenChallenge,
	anOccasion,
	aProfile,
	aSend,
	secondsFromStart,
	start
} from '../../support/domain/builders.ts';
import { aFixture, aSignedIn, errorOf, wrong } from '../../support/domain/fixture.ts';

const ada = 'ada@example.com';
const bob = 'bob@example.com';
const notACode = { code: 'invalid_code', attemptsLeft: null };

describe('entering a code', () => {
	it('opens a session, and creates an account with its data if there was none', async () => {
		const fixture = aFixture();
		const verified = await fixture.enterCode(ada, await fixture.sendTo(ada), {
			profile: aProfile({ name: aName('Ada'), image: 'https://example.com/ada.png' }),
			source: aRequestSource({ ipAddress: '192.0.2.7', userAgent: 'Browser/1' })
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

	it('returns a token that reads as that session, and returns neither token nor hash in the session', async () => {
		const { fixture, token, user, session } = await aSignedIn(ada);
		const read = await fixture.readSession({ token, mayRefresh: false });
		expect(read).toEqual({ user, session, refreshed: false });
		expect(JSON.stringify(read)).not.toContain(token);
		expect(JSON.stringify(read)).not.toContain(fixture.secretHasher.ofToken(token)[0]);
	});

	it('ignores an answer to marketing for an existing account', async () => {
		const { fixture, user } = await aSignedIn(ada);
		const profile = aProfile({ marketing: anOccasion() });
		await fixture.enterCode(ada, await fixture.sendTo(ada), { profile });
		expect(await fixture.stores.consents.of(user.id)).toMatchObject({ marketingOptIn: false });
		expect(await fixture.consents.historyOf(user.id, 9)).toEqual([]);
	});

	it('A13: the text is cleaned first, and keeps its zeros', async () => {
		// Bytes 0 0 0 1 2 3 are the code 000123.
		const fixture = aFixture({ bytes: [0, 0, 0, 1, 2, 3] });
		expect(await fixture.sendTo(ada)).toBe('000123');
		expect((await fixture.enterCode(ada, 'code: ０００-１２３\n')).ok).toBe(true);
	});

	it('A05: a right code counted in time succeeds, although wrong ones are counted during its comparison', async () => {
		const fixture = aFixture();
		const code = await fixture.sendTo(ada);
		const right = fixture.enterCode(ada, code);
		const others = Array.from({ length: 20 }, () => fixture.enterCode(ada, wrong(code)));
		expect((await right).ok).toBe(true);
		expect((await Promise.all(others)).every((result) => !result.ok)).toBe(true);
	});

	it('a store that fails is an error and not a wrong code, and the code can be entered again', async () => {
		const real = aFixture();
		const { redeem } = real.signIns;
		let failures = 1;
		const signIns: SignIns = {
			redeem: (redemption) => {
				failures -= 1;
				return failures < 0 ? redeem(redemption) : Promise.reject(new StoreUnavailable('closed'));
			}
		};
		const fixture = aFixture({ ...({ challenges: real.challenges, signIns } as object) });
		const code = await fixture.sendTo(ada);
		await expect(fixture.enterCode(ada, code)).rejects.toThrow('store unavailable (closed)');
		expect(
			await fixture.throttle.countSend(aSend(anEmail(ada), fixture.clock.now()), fixture.policy)
		).toMatchObject({
			wrongCodes: 0
		});
		expect((await fixture.enterCode(ada, code)).ok).toBe(true);
	});
});

describe('what a code is bound to', () => {
	it('A10: a code hashed for another address, browser or purpose is refused', async () => {
		const fixture = aFixture();
		const boundTo = fixture.secretHasher.ofCodeKey(fixture.aCodeKey());
		const bound = { purpose: 'sign_in', email: ada, boundTo: null, code: '123456' };
		for (const other of [
			{ email: bob },
			{ boundTo },
			{ purpose: 'email_change' },
			{ purpose: 'email_verification' },
			{ from: bob }
		]) {
			const secretHash = await fixture.codeHasher.hash({ ...bound, ...other } as never);
			await fixture.challenges.issue(anOpenChallenge({ secretHash }), start);
			expect(errorOf(await fixture.enterCode(ada, '123456'))).toEqual({
				code: 'invalid_code',
				attemptsLeft: 4
			});
		}
	});

	it('a client that only knows the address can neither use nor use up the code of a browser', async () => {
		const fixture = aFixture();
		const codeKey = fixture.aCodeKey();
		const code = await fixture.sendTo(ada, codeKey);
		for (let time = 0; time < 20; time += 1) {
			expect(errorOf(await fixture.enterCode(ada, code))).toEqual(notACode);
			expect(errorOf(await fixture.enterCode(ada, code, { codeKey: fixture.aCodeKey() }))).toEqual(
				notACode
			);
		}
		expect((await fixture.enterCode(ada, code, { codeKey })).ok).toBe(true);
	});

	it('a browser may enter a code that was bound to the address alone (GHSA-x445-f3h2-j279)', async () => {
		const fixture = aFixture();
		const code = await fixture.sendTo(ada);
		expect((await fixture.enterCode(ada, code, { codeKey: fixture.aCodeKey() })).ok).toBe(true);
	});
});

describe('the session a browser had before', () => {
	it('E02: a planted token that was never issued does not become valid', async () => {
		const fixture = aFixture();
		const planted = 'A'.repeat(43) as SessionToken;
		const { token } = await fixture.signIn(ada, planted);
		expect(token).not.toBe(planted);
		expect(await fixture.readSession({ token: planted, mayRefresh: false })).toBeNull();
	});
});
