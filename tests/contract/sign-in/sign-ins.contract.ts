import { aSend } from '../../support/domain/builders.ts';
import { describe, expect, it } from 'vitest';
import type { Challenge, SessionlessChallenge } from '#lib/domain/sign-in/ports.ts';
import {
	ada,
	adasLaptop,
	adasPhone,
	aChallenge,
	anAttempt,
	aHash,
	aRedemption,
	at,
	bob,
	newSessionId,
	policy,
	rounds,
	signedIn,
	type RedemptionOf
} from '../stores/examples.ts';
import { aPurchase } from '../account/account-examples.ts';
import { raceOffers } from '../email-change/email-change-races.ts';
import { aDevicePlacement } from '../sessions/device-examples.ts';
import {
	atOnce,
	raceFirstSignIns,
	raceForSessions,
	raceRedemptions,
	raceWrongBesideRight
} from '../stores/races.ts';
import { storeContract } from '../stores/suite.ts';

export const signInsContract = storeContract('sign-ins', (backing) => {
	const port = () => backing.stores.signIns;
	const issued = async (but: Partial<SessionlessChallenge> = {}): Promise<SessionlessChallenge> => {
		const challenge = aChallenge(but);
		await backing.stores.challenges.issue(challenge, at(0));
		return challenge;
	};
	const signIn = async (but: RedemptionOf = {}, email = ada) =>
		signedIn(await port().redeem(aRedemption(await issued({ email }), but)));
	const failuresOf = async (email: typeof ada) => {
		const hit = await backing.stores.throttle.countSend(aSend(email, at(2)), policy);
		return hit.kind === 'allowed' ? hit.wrongCodes : null;
	};

	it('the first sign-in of an address creates its account and opens a session', async () => {
		const redemption = aRedemption(await issued(), { name: 'Ada L.' });
		const { tokenHash, ...opened } = redemption.session;
		const redeemed = signedIn(await port().redeem(redemption));
		expect(redeemed).toEqual({
			kind: 'signed_in',
			user: redemption.account.user,
			session: {
				...opened,
				userId: redemption.account.user.id,
				updatedAt: redemption.session.createdAt
			},
			created: true,
			ended: [],
			isReported: false
		});
		const found = await backing.stores.sessions.find(tokenHash, at(2));
		expect(found).toEqual({ user: redeemed.user, session: redeemed.session });
	});

	it('I04: the next sign-in of an address finds its account unchanged, and another address has another', async () => {
		const first = await signIn({ name: 'Ada' });
		const second = await signIn({ name: 'Somebody else', now: at(100) });
		expect(second.user).toEqual(first.user);
		expect(second.created).toBe(false);
		expect(second.session.userId).toBe(first.user.id);
		expect(second.session.id).not.toBe(first.session.id);
		expect((await signIn({}, bob)).user.id).not.toBe(first.user.id);
		expect(await backing.rows('users')).toBe(2);
		expect(await backing.rows('userData')).toBe(2);
	});

	it('A03: the challenge is consumed: a code works once (CVE-2015-7225, CVE-2021-43177)', async () => {
		const challenge = await issued();
		expect(await port().redeem(aRedemption(challenge))).not.toBeNull();
		expect(await port().redeem(aRedemption(challenge))).toBeNull();
		const attempt = anAttempt();
		const { challenges } = backing.stores;
		expect(await challenges.countAttempt(attempt, at(1), policy)).toBeNull();
	});

	it('redeeming without its challenge writes nothing', async () => {
		const kept = aHash();
		await signIn({ tokenHash: kept });
		await backing.stores.throttle.countWrongCode(bob, at(0), policy);
		const refused = aRedemption(aChallenge({ email: bob }), { replaces: kept });
		expect(await port().redeem(refused)).toBeNull();
		expect(await backing.rows('users')).toBe(1);
		expect(await backing.rows('sessions')).toBe(1);
		expect(await backing.stores.sessions.find(kept, at(2))).not.toBeNull();
		expect(await failuresOf(bob)).toBe(1);
	});

	it('other challenges of the address stay', async () => {
		const phones = await issued({ boundTo: adasPhone });
		await signIn();
		expect(await backing.stores.challenges.latestOf(adasPhone, 'sign_in')).toEqual(phones);
	});

	it('codes that the same browser requested for other addresses are removed, those of other browsers stay', async () => {
		const { challenges } = backing.stores;
		const mine = await issued({ boundTo: adasPhone });
		await issued({ boundTo: adasPhone, email: bob });
		const others = await issued({ boundTo: adasLaptop, email: bob });
		await port().redeem(aRedemption(mine));
		expect(await challenges.latestOf(adasPhone, 'sign_in')).toBeNull();
		expect(await challenges.latestOf(adasLaptop, 'sign_in')).toEqual(others);
	});

	it('A10: challenges of the same browser for another purpose stay', async () => {
		const { challenges } = backing.stores;
		const verification = await issued({ boundTo: adasPhone, purpose: 'email_verification' });
		await port().redeem(aRedemption(await issued({ boundTo: adasPhone })));
		expect(await challenges.latestOf(adasPhone, 'email_verification')).toEqual(verification);
	});

	it('A11: a challenge of another address cannot be redeemed (CVE-2023-26481, CVE-2026-9087)', async () => {
		const adas = await issued();
		const stolen = aRedemption({ ...adas, email: bob });
		expect(await port().redeem(stolen)).toBeNull();
		expect(await backing.rows('users')).toBe(0);
		expect(await port().redeem(aRedemption(adas))).not.toBeNull();
	});

	it('a new account gets the unclaimed purchases made with its address', async () => {
		const { purchases } = backing.stores;
		const [mine, others] = [aPurchase({ createdAt: at(-9) }), aPurchase({ email: bob })];
		const newer = aPurchase({ createdAt: at(-8) });
		for (const one of [mine, others, newer]) await purchases.record(one);
		const { user } = await signIn();
		expect(await purchases.listOf(user.id)).toEqual([
			{ ...newer, userId: user.id },
			{ ...mine, userId: user.id }
		]);
		expect(await purchases.find(others.reference)).toEqual(others);
	});

	it('claimed purchases keep their account, and an existing account gets none', async () => {
		const { purchases } = backing.stores;
		const { user: bobs } = await signIn({}, bob);
		const bobsWithAdas = aPurchase();
		await purchases.record(bobsWithAdas);
		await purchases.claim(bobsWithAdas.reference, { id: bobs.id, email: ada });
		const { user } = await signIn();
		expect(await purchases.listOf(user.id)).toEqual([]);
		expect((await purchases.find(bobsWithAdas.reference))?.userId).toBe(bobs.id);
	});

	it('with sign-up closed the challenge is consumed and nothing else happens', async () => {
		const old = aHash();
		await signIn({ tokenHash: old }, bob);
		await backing.stores.throttle.countWrongCode(ada, at(0), policy);
		const challenge = await issued();
		const closed = { ...aRedemption(challenge, { replaces: old }), account: null };
		expect(await port().redeem(closed)).toBeNull();
		expect(await backing.rows('users')).toBe(1);
		expect(await backing.rows('challenges')).toBe(0);
		expect(await backing.stores.sessions.find(old, at(2))).not.toBeNull();
		expect(await failuresOf(ada)).toBe(1);
	});

	it('with sign-up closed an existing account can sign in', async () => {
		const { user } = await signIn();
		const closed = { ...aRedemption(await issued()), account: null };
		expect(await port().redeem(closed)).toMatchObject({ user, created: false });
	});

	describe('for a deleted account', () => {
		/** Ada’s account, deleted at 10 s, before any code for it is requested. */
		const deleted = async () => {
			const { user } = await signIn({ tokenHash: aHash() });
			await backing.stores.accounts.delete(user.id, at(10));
			await backing.stores.throttle.countWrongCode(ada, at(11), policy);
			return user;
		};
		const aRestoreGrant = (but: Partial<SessionlessChallenge> = {}): SessionlessChallenge =>
			aChallenge({ purpose: 'account_restore', boundTo: aHash(), ...but });
		const latest = (challenge: Challenge) =>
			backing.stores.challenges.latestOf(challenge.boundTo ?? adasPhone, challenge.purpose);
		const found = () => backing.stores.accounts.find(ada);

		it('refusing keeps it deleted, keeps the challenge and gives the guess back', async () => {
			const user = await deleted();
			const challenge = await issued({ boundTo: adasPhone });
			const { challenges } = backing.stores;
			for (let attempts = 0; attempts < 9; attempts += 1) {
				const attempt = anAttempt({ boundTo: adasPhone });
				const counted = await challenges.countAttempt(attempt, at(1), policy);
				expect(counted?.attemptsUsed).toBe(1);
				expect(await port().redeem(aRedemption(challenge))).toEqual({
					kind: 'deleted',
					deletedAt: at(10)
				});
			}
			expect(await latest(challenge)).toEqual(challenge);
			expect(await found()).toMatchObject({
				...user,
				updatedAt: at(10),
				deletedAt: at(10)
			});
			expect(await backing.rows('sessions')).toBe(0);
			expect(await failuresOf(ada)).toBe(1);
		});

		it('refusing never gives back an attempt that was not counted', async () => {
			await deleted();
			const challenge = await issued({ boundTo: adasPhone });
			await port().redeem(aRedemption(challenge));
			expect((await latest(challenge))?.attemptsUsed).toBe(0);
		});

		it('refusing ends no session and creates no account', async () => {
			await deleted();
			const old = aHash();
			await signIn({ tokenHash: old }, bob);
			await port().redeem(aRedemption(await issued(), { replaces: old }));
			expect(await backing.stores.sessions.find(old, at(12))).not.toBeNull();
			expect(await backing.rows('users')).toBe(2);
		});

		it('each of 20 concurrent refusals gives back its guess', async () => {
			await deleted();
			const challenge = await issued({ boundTo: adasPhone, attemptsUsed: 20 });
			const refused = await atOnce(backing.instances, 20, ({ signIns }) =>
				signIns.redeem(aRedemption(challenge))
			);
			expect(refused.every((one) => one?.kind === 'deleted')).toBe(true);
			expect((await latest(challenge))?.attemptsUsed).toBe(0);
		});

		it('restoring brings it back unchanged and signs in to it', async () => {
			const user = await deleted();
			const restoring = { now: at(20), ifDeleted: { then: 'restore' } } as const;
			const restored = await signIn(restoring);
			expect(restored.user).toEqual({ ...user, updatedAt: at(20) });
			expect(restored.created).toBe(false);
			expect(restored.session.userId).toBe(user.id);
			expect(await found()).toMatchObject({ ...restored.user, deletedAt: null });
			expect(await backing.rows('userData')).toBe(1);
			expect(await backing.rows('challenges')).toBe(0);
			expect(await failuresOf(ada)).toBe(0);
			expect((await signIn()).user).toEqual(restored.user);
		});

		it('restoring works with a restore grant, and with sign-up closed', async () => {
			const user = await deleted();
			const grant = await issued(aRestoreGrant());
			const restoring = aRedemption(grant, { ifDeleted: { then: 'restore' } });
			const redeemed = signedIn(await port().redeem({ ...restoring, account: null }));
			expect(redeemed.user.id).toBe(user.id);
			expect(await port().redeem({ ...restoring, account: null })).toBeNull();
		});

		it('restoring with a code leaves an active account unchanged', async () => {
			const first = await signIn();
			const again = await signIn({ now: at(20), ifDeleted: { then: 'restore' } });
			expect(again.user).toEqual(first.user);
		});

		it('a restore grant signs nobody in to an active account, and is consumed', async () => {
			const { user } = await signIn();
			const grant = await issued(aRestoreGrant());
			const restoring = aRedemption(grant, { ifDeleted: { then: 'restore' } });
			expect(await port().redeem(restoring)).toBeNull();
			expect(await found()).toMatchObject(user);
			expect(await backing.rows('sessions')).toBe(1);
			expect(await latest(grant)).toBeNull();
		});

		it('offering keeps it deleted, consumes the challenge and stores the restore grant', async () => {
			await deleted();
			const challenge = await issued({ boundTo: adasPhone });
			const grant = aRestoreGrant();
			const ifDeleted = { then: 'offer', grant } as const;
			expect(await port().redeem(aRedemption(challenge, { ifDeleted }))).toEqual({
				kind: 'deleted',
				deletedAt: at(10)
			});
			expect((await found())?.deletedAt).toEqual(at(10));
			expect(await latest(challenge)).toBeNull();
			expect(await latest(grant)).toEqual(grant);
			expect(await backing.rows('sessions')).toBe(0);
			expect(await port().redeem(aRedemption(challenge, { ifDeleted }))).toBeNull();
		});

		it('the restore grant replaces earlier ones of the address, and no others', async () => {
			await deleted();
			const [earlier, grant] = [aRestoreGrant(), aRestoreGrant({ createdAt: at(1) })];
			const others = await issued(aRestoreGrant({ email: bob }));
			for (const one of [earlier, grant]) {
				const ifDeleted = { then: 'offer', grant: one } as const;
				await port().redeem(aRedemption(await issued(), { ifDeleted }));
			}
			expect(await latest(earlier)).toBeNull();
			expect(await latest(grant)).toEqual(grant);
			expect(await latest(others)).toEqual(others);
		});

		it('an active account gets no offer', async () => {
			await signIn();
			const grant = aRestoreGrant();
			const ifDeleted = { then: 'offer', grant } as const;
			expect((await signIn({ ifDeleted })).kind).toBe('signed_in');
			expect(await latest(grant)).toBeNull();
		});

		it('of 20 concurrent offers exactly one restore grant is stored', async () => {
			for (let round = 0; round < rounds(1, 30); round += 1) {
				expect(await raceOffers(backing.instances, 20)).toEqual({
					failed: 0,
					deleted: 20,
					grants: 1
				});
			}
		});
	});

	it('E03: the replaced session ends, and those of other devices stay (CVE-2015-8314)', async () => {
		const [old, other, fresh] = [aHash(), aHash(), aHash()];
		const replaced = await signIn({ tokenHash: old });
		await signIn({ tokenHash: other });
		const next = await signIn({ tokenHash: fresh, replaces: old });
		expect(next.ended).toEqual([replaced.session.id]);
		const { sessions } = backing.stores;
		expect(await sessions.find(old, at(2))).toBeNull();
		expect(await sessions.find(other, at(2))).not.toBeNull();
		expect(await sessions.find(fresh, at(2))).not.toBeNull();
	});

	it('E03: the replaced session also ends when it was another user’s', async () => {
		const bobs = aHash();
		await signIn({ tokenHash: bobs }, bob);
		await signIn({ replaces: bobs });
		expect(await backing.stores.sessions.find(bobs, at(2))).toBeNull();
	});

	it('a session to replace that has already ended causes no error', async () => {
		expect(await signIn({ replaces: aHash() })).toMatchObject({ ended: [] });
	});

	it('beyond the most sessions of an account, those unused longest end, and no others', async () => {
		const { sessions } = backing.stores;
		const bobs = await signIn({ now: at(0) }, bob);
		const opened = [];
		for (const second of [3, 1, 2, 4]) opened.push(await signIn({ now: at(second) }));
		const [three, one, two, four] = opened.map(({ session }) => session.id);
		// The clock was set back: the new session stays, although it seems to be the oldest.
		const next = await signIn({ sessionsPerAccount: 3, now: at(0) });
		expect(next.ended.toSorted()).toEqual([one, two].toSorted());
		const left = await sessions.listOf(next.user.id, at(5));
		expect(left.map(({ id }) => id)).toEqual([four, three, next.session.id]);
		expect(await sessions.listOf(bobs.user.id, at(5))).toHaveLength(1);
		expect(await signIn({ sessionsPerAccount: 4, now: at(5) })).toMatchObject({ ended: [] });
	});

	it('a refresh counts as use, and an expired session goes before a live one', async () => {
		const { sessions } = backing.stores;
		const { lifetime, refreshAfter } = policy.session;
		const [first, second] = [await signIn({ now: at(0) }), await signIn({ now: at(1) })];
		const now = at(refreshAfter + 1);
		const times = { now, dueSince: at(refreshAfter), expiresAt: at(refreshAfter + lifetime + 1) };
		await sessions.refresh(first.session.id, times);
		const next = await signIn({ sessionsPerAccount: 2, now: at(lifetime + 2) });
		expect(next.ended).toEqual([second.session.id]);
	});

	it('the session that a sign-in replaces makes room', async () => {
		const [kept, old] = [aHash(), aHash()];
		await signIn({ tokenHash: kept, now: at(0) });
		const replaced = await signIn({ tokenHash: old, now: at(1) });
		const next = await signIn({ sessionsPerAccount: 2, replaces: old, now: at(2) });
		expect(next.ended).toEqual([replaced.session.id]);
		expect(await backing.stores.sessions.find(kept, at(3))).not.toBeNull();
	});

	it('the device of a session that ended in this way stays known', async () => {
		const device = aDevicePlacement();
		const { user } = await signIn({ device, now: at(0) });
		await signIn({ sessionsPerAccount: 1, now: at(1) });
		expect(await backing.stores.devices.knownAccount(device.keyHash, ada)).toBe(user.id);
	});

	it('restoring an account opens no session beyond the limit either', async () => {
		const first = await signIn({ now: at(0) });
		await backing.stores.accounts.delete(first.user.id, at(1));
		const restored = await signIn({
			sessionsPerAccount: 1,
			now: at(2),
			ifDeleted: { then: 'restore' }
		});
		const next = await signIn({ sessionsPerAccount: 1, now: at(3) });
		expect(next.ended).toEqual([restored.session.id]);
	});

	it('with 20 sign-ins to one account at once, five sessions stay, and each other ended once', async () => {
		for (let round = 0; round < rounds(1, 10); round += 1) {
			const outcome = await raceForSessions(backing.instances, 20, 5);
			expect(outcome).toEqual({ left: 5, ended: 15, endedTwice: 0, failed: 0 });
		}
	});

	it('the address’s wrong codes are cleared and its sends are not', async () => {
		const { throttle } = backing.stores;
		for (let sent = 0; sent < 4; sent += 1) {
			await throttle.countSend(aSend(ada, at(0)), policy);
		}
		for (let wrong = 0; wrong < 3; wrong += 1) await throttle.countWrongCode(ada, at(0), policy);
		await throttle.countWrongCode(bob, at(0), policy);
		await signIn();
		expect(await failuresOf(ada)).toBe(0);
		expect(await failuresOf(bob)).toBe(1);
		expect(await throttle.countSend(aSend(ada, at(3)), policy)).toMatchObject({ kind: 'full' });
	});

	it('attempts counted after the right one do not undo it', async () => {
		const challenge = await issued();
		const { challenges } = backing.stores;
		for (let attempts = 0; attempts < 9; attempts += 1) {
			await challenges.countAttempt(anAttempt(), at(1), policy);
		}
		expect(await port().redeem(aRedemption(challenge))).not.toBeNull();
	});

	it('M04: all or nothing: a refused session leaves challenge, account and sessions unchanged', async () => {
		const [taken, old] = [aHash(), aHash()];
		await signIn({ tokenHash: taken }, bob);
		await signIn({ tokenHash: old }, bob);
		await backing.stores.throttle.countWrongCode(ada, at(0), policy);
		const challenge = await issued();
		const doomed = aRedemption(challenge, { tokenHash: taken, replaces: old });
		await expect(port().redeem(doomed)).rejects.toMatchObject({ name: 'StoreUnavailable' });

		expect(await backing.rows('users')).toBe(1);
		expect(await backing.rows('userData')).toBe(1);
		expect(await backing.rows('sessions')).toBe(2);
		const { sessions } = backing.stores;
		expect((await sessions.find(taken, at(2)))?.user.email).toBe(bob);
		expect(await sessions.find(old, at(2))).not.toBeNull();
		expect(await failuresOf(ada)).toBe(1);
		expect(await port().redeem(aRedemption(challenge))).toMatchObject({ created: true });
	});

	it('an error contains its kind and no data of the account', async () => {
		const taken = aHash();
		await signIn({ tokenHash: taken }, bob);
		const doomed = aRedemption(await issued(), { tokenHash: taken });
		const fault = await port()
			.redeem(doomed)
			.then(String, (error: unknown) => error);
		expect(fault).toMatchObject({ reason: expect.stringMatching(/^[A-Z0-9_]+$/) });
		const text = `${(fault as Error).stack} ${String((fault as Error).cause)}`;
		for (const secret of [ada, bob, taken, doomed.session.id]) expect(text).not.toContain(secret);
	});

	it('a session id is unique', async () => {
		const sessionId = newSessionId();
		await signIn({ sessionId });
		const twin = aRedemption(await issued(), { sessionId });
		await expect(port().redeem(twin)).rejects.toMatchObject({ name: 'StoreUnavailable' });
		expect(await backing.rows('sessions')).toBe(1);
	});

	it('data without an account is refused', async () => {
		const redemption = aRedemption(await issued());
		const { user, userData, consent } = redemption.account;
		const orphan = { ...userData, userId: aRedemption(aChallenge()).account.user.id };
		await expect(
			port().redeem({ ...redemption, account: { user, userData: orphan, consent, mails: [] } })
		).rejects.toMatchObject({ name: 'StoreUnavailable' });
		expect(await backing.rows('users')).toBe(0);
	});

	it('A03: of 50 concurrent redemptions of one code for a known address exactly one succeeds (GHSA-hc7v-rggr-4hvx, GHSA-hc7v-x88r-fmh4, GHSA-7w99-5wm4-3g79, GHSA-392p-2q2v-4372, supabase/auth#2612, HackerOne#3692149, HackerOne#3695625)', async () => {
		await signIn();
		for (let round = 0; round < rounds(1, 50); round += 1) {
			const before = await backing.rows('sessions');
			expect(await raceRedemptions(backing.instances, 50, ada)).toBe(1);
			expect(await backing.rows('sessions')).toBe(before + 1);
		}
	});

	it('A04: of 50 concurrent first sign-ins of one address exactly one creates the account and the others find it (GHSA-g38m-r43w-p2q7)', async () => {
		for (let round = 1; round <= rounds(1, 50); round += 1) {
			expect(await raceFirstSignIns(backing.instances, 50)).toEqual({
				signedIn: 50,
				failed: 0,
				created: 1,
				users: 1
			});
			expect(await backing.rows('users')).toBe(round);
			expect(await backing.rows('userData')).toBe(round);
		}
	});

	it('A05: with a concurrent wrong code the right code wins every time', async () => {
		const race = raceWrongBesideRight();
		expect(await race(backing.instances, rounds(5, 500))).toEqual({ lost: 0 });
	});
});
