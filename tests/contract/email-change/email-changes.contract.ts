import { expect, it } from 'vitest';
import type { EmailChange } from '#lib/domain/email-change/ports.ts';
import type { Email } from '#lib/domain/email.ts';
import type { UserId } from '#lib/domain/ids.ts';
import { type Challenge, type Redeemed, type SessionChallenge } from '#lib/domain/sign-in/ports.ts';
import { signIn } from '../account/account-examples.ts';
import {
	aChange,
	completing,
	raceCompletions,
	raceForOneAddress,
	raceMoveBesideSignIn,
	raceRequests,
	raceSignUpBesideMove,
	raceSwap
} from './email-change-races.ts';
import {
	ada,
	adasPhone,
	aChallenge,
	anAttempt,
	anEmail,
	at,
	bob,
	newChallengeId,
	newSessionId,
	newUserId,
	policy,
	rounds
} from '../stores/examples.ts';
import { storeContract } from '../stores/suite.ts';

const carol = anEmail('carol');
const dora = anEmail('dora');

export const emailChangesContract = storeContract('email changes', (backing) => {
	const port = () => backing.stores.emailChanges;
	const signedIn = (email?: Email) => signIn(backing.stores, email);
	const request = (challenge: SessionChallenge, from: Email = ada, now = challenge.createdAt) =>
		port().request(challenge, { userId: challenge.boundTo as UserId, from }, now);
	const pendingOf = (id: UserId, now: Date) => port().pendingOf(id, now);
	/** The change of this account to this address that can be confirmed. */
	const entered = ({ purpose, email, boundTo }: Challenge) =>
		backing.stores.challenges.countAttempt(anAttempt({ purpose, email, boundTo }), at(1), policy);
	const linkOf = ({ user }: Redeemed) =>
		backing.stores.challenges.latestOf(user.id, 'email_change_link');
	const userAt = (email: Email) => backing.stores.accounts.find(email);
	/** Ada, with a pending change. */
	const adaMoving = async (to: Email = carol): Promise<Redeemed & { change: EmailChange }> => {
		const redeemed = await signedIn();
		const challenge = aChange(redeemed, to);
		await request(challenge);
		return { ...redeemed, change: completing(redeemed, challenge) };
	};
	const moved = async (change: EmailChange, now = at(5)) => {
		const changed = await port().complete(change, now);
		if (changed === null || changed === 'email_taken') throw new Error('nothing has moved');
		return changed;
	};

	it('a requested change is pending as it was created', async () => {
		const adas = await signedIn();
		const challenge = aChange(adas, carol, { attemptsUsed: 2 });
		await request(challenge);
		expect(await pendingOf(adas.user.id, at(1))).toEqual(challenge);
		expect(await entered(challenge)).toEqual({ ...challenge, attemptsUsed: 3 });
	});

	it('K06: it replaces the earlier one of the same purpose, for any address', async () => {
		const adas = await signedIn();
		const [earlier, later] = [aChange(adas, carol), aChange(adas, dora, { createdAt: at(1) })];
		await request(earlier);
		await request(later);
		expect(await backing.rows('challenges')).toBe(1);
		expect(await entered(earlier)).toBeNull();
		expect((await entered(later))?.id).toBe(later.id);
	});

	it('it replaces the earlier one to the same address as a whole', async () => {
		const adas = await signedIn();
		const [earlier, later] = [aChange(adas, carol), aChange(adas, carol)];
		await request(earlier);
		await entered(earlier);
		await request(later);
		expect(await backing.rows('challenges')).toBe(1);
		expect(await entered(later)).toEqual({ ...later, attemptsUsed: 1 });
		expect(await port().complete(completing(adas, earlier), at(2))).toBeNull();
	});

	it('changes of another purpose and of other accounts stay', async () => {
		const [adas, bobs] = [await signedIn(), await signedIn(bob)];
		const link = aChange(adas, carol, { purpose: 'email_change_link' });
		const others = aChange(bobs, carol);
		await request(link);
		await request(others, bob);
		await request(aChange(adas, dora));
		expect(await linkOf(adas)).toEqual(link);
		expect(await pendingOf(bobs.user.id, at(1))).toEqual(others);
	});

	it('a change requested later stays, for any address', async () => {
		const adas = await signedIn();
		for (const to of [carol, dora]) {
			const later = aChange(adas, to, { createdAt: at(10) });
			const earlier = aChange(adas, carol, { createdAt: at(9.999) });
			await request(later);
			await request(earlier, ada, at(11));
			expect(await pendingOf(adas.user.id, at(11))).toEqual(later);
			expect(await backing.rows('challenges')).toBe(1);
		}
	});

	it('M13: a change requested in the future does not stay', async () => {
		const adas = await signedIn();
		await request(aChange(adas, dora, { createdAt: at(10) }));
		const challenge = aChange(adas, carol, { createdAt: at(9) });
		await request(challenge, ada, at(9.999));
		expect(await pendingOf(adas.user.id, at(10))).toEqual(challenge);
		expect(await backing.rows('challenges')).toBe(1);
	});

	it('nothing happens for a missing account, or one that is no longer at its address', async () => {
		const adas = await signedIn();
		const waiting = aChange(adas, carol);
		await request(waiting);
		await request(aChange(adas, dora, { createdAt: at(1) }), bob);
		await request(aChange({ ...adas, user: { ...adas.user, id: newUserId() } }, dora));
		expect(await backing.rows('challenges')).toBe(1);
		expect(await pendingOf(adas.user.id, at(1))).toEqual(waiting);
	});

	it('nothing happens when the account is deleted', async () => {
		const adas = await signedIn();
		await backing.stores.accounts.delete(adas.user.id, at(1));
		await request(aChange(adas, carol, { createdAt: at(2) }));
		expect(await backing.rows('challenges')).toBe(0);
	});

	it('a change id is unique', async () => {
		const [adas, bobs] = [await signedIn(), await signedIn(bob)];
		const challenge = aChange(adas, carol);
		await request(challenge);
		const twin = aChange(bobs, dora, { id: challenge.id });
		await expect(request(twin, bob)).rejects.toMatchObject({ name: 'StoreUnavailable' });
		expect(await pendingOf(adas.user.id, at(1))).toEqual(challenge);
	});

	it('K06: of two concurrent requests exactly the later one is left, for its own address only (CVE-2026-32700)', async () => {
		expect(await raceRequests(backing.instances, rounds(5, 500))).toEqual({
			failed: 0,
			notOne: 0,
			earlierStayed: 0,
			astray: 0
		});
	});

	it('the pending change is the last requested one, by code or by link', async () => {
		const adas = await signedIn();
		const link = aChange(adas, carol, { purpose: 'email_change_link', createdAt: at(5) });
		await request(link);
		await request(aChange(adas, dora, { createdAt: at(4) }), ada, at(5));
		expect(await pendingOf(adas.user.id, at(6))).toEqual(link);
		const code = aChange(adas, dora, { createdAt: at(6) });
		await request(code);
		expect(await pendingOf(adas.user.id, at(6))).toEqual(code);
	});

	it('an expired change is not pending, from the instant of its expiry on', async () => {
		const adas = await signedIn();
		const link = aChange(adas, dora, { purpose: 'email_change_link', expiresAt: at(900) });
		await request(link);
		const code = aChange(adas, carol, { createdAt: at(1), expiresAt: at(600) });
		await request(code);
		const { id } = adas.user;
		expect(await pendingOf(id, at(599.999))).toEqual(code);
		expect(await pendingOf(id, at(600))).toEqual(link);
		expect(await pendingOf(id, at(900))).toBeNull();
	});

	it('codes of another purpose and changes of other accounts are not pending changes', async () => {
		const [adas, bobs] = [await signedIn(), await signedIn(bob)];
		await request(aChange(bobs, carol), bob);
		const { challenges } = backing.stores;
		await challenges.issue(aChallenge({ boundTo: adas.user.id }), at(0));
		expect(await pendingOf(adas.user.id, at(1))).toBeNull();
	});

	it('a pending change of an account can be cancelled, by code and by link', async () => {
		const [adas, bobs] = [await signedIn(), await signedIn(bob)];
		const others = aChange(bobs, carol);
		await request(aChange(adas, carol));
		await request(aChange(adas, dora, { purpose: 'email_change_link' }));
		await request(others, bob);
		await backing.stores.challenges.issue(aChallenge({ boundTo: adasPhone }), at(0));
		await port().cancel(adas.user.id);
		expect(await pendingOf(adas.user.id, at(1))).toBeNull();
		expect(await pendingOf(bobs.user.id, at(1))).toEqual(others);
		expect(await backing.rows('challenges')).toBe(2);
		await port().cancel(adas.user.id);
	});

	it('completing moves the account to the new address, at that time', async () => {
		const { user, change } = await adaMoving();
		const changed = await moved(change, at(5));
		expect(changed.user).toEqual({ ...user, email: carol, updatedAt: at(5) });
		expect(await userAt(carol)).toMatchObject(changed.user);
		expect(await userAt(ada)).toBeNull();
	});

	it('E14: completing keeps the confirming session and ends all others of the account', async () => {
		const { session, change } = await adaMoving();
		const others = [await signedIn(), await signedIn()];
		const bobs = await signedIn(bob);
		const { ended } = await moved(change);
		expect([...ended].sort()).toEqual(others.map((one) => one.session.id).sort());
		const { sessions } = backing.stores;
		const left = await sessions.listOf(change.userId, at(6));
		expect(left.map(({ id }) => id)).toEqual([session.id]);
		expect(await sessions.listOf(bobs.user.id, at(6))).toHaveLength(1);
	});

	it('a session that has ended or expired cannot complete a change', async () => {
		const { user, change } = await adaMoving();
		expect(await port().complete({ ...change, keep: newSessionId() }, at(5))).toBeNull();
		const { session } = await signIn(backing.stores, ada, { now: at(2) });
		expect(await port().complete({ ...change, keep: session.id }, session.expiresAt)).toBeNull();
		const bobs = await signedIn(bob);
		expect(await port().complete({ ...change, keep: bobs.session.id }, at(5))).toBeNull();
		expect(await userAt(ada)).toMatchObject(user);
	});

	it('completing voids every code for the old address, and none for other addresses', async () => {
		const { change } = await adaMoving();
		const { challenges } = backing.stores;
		const purposes = ['sign_in', 'email_verification', 'account_restore'] as const;
		for (const purpose of purposes) {
			await challenges.issue(aChallenge({ purpose }), at(0));
			await challenges.issue(aChallenge({ purpose, boundTo: adasPhone }), at(0));
			await challenges.issue(aChallenge({ purpose, email: bob }), at(0));
		}
		const bobs = await signedIn(bob);
		const towardsAda = aChange(bobs, ada);
		await request(towardsAda, bob);
		await moved(change);
		for (const purpose of purposes) {
			for (const boundTo of [null, adasPhone]) {
				const attempt = anAttempt({ purpose, boundTo });
				expect(await challenges.countAttempt(attempt, at(1), policy)).toBeNull();
			}
			const others = anAttempt({ purpose, email: bob });
			expect(await challenges.countAttempt(others, at(1), policy)).not.toBeNull();
		}
		// A change of another account to that address gives no access to this account.
		expect(await pendingOf(bobs.user.id, at(1))).toEqual(towardsAda);
	});

	it('K04: completing voids every other change of this account, and none of other accounts (GHSA-8c5h-wx78-2cfg)', async () => {
		const { user, session, change } = await adaMoving();
		const bobs = await signedIn(bob);
		const others = aChange(bobs, dora);
		await request(others, bob);
		await request(aChange({ user, session }, dora, { purpose: 'email_change_link' }));
		await moved(change);
		expect(await pendingOf(user.id, at(1))).toBeNull();
		expect(await pendingOf(bobs.user.id, at(1))).toEqual(others);
	});

	it('K05: a change is completed once', async () => {
		const { change } = await adaMoving();
		await moved(change);
		expect(await port().complete(change, at(6))).toBeNull();
		expect(await port().complete({ ...change, from: carol }, at(6))).toBeNull();
	});

	it('K05: of 50 concurrent completions of one change exactly one succeeds', async () => {
		for (let round = 0; round < rounds(1, 50); round += 1) {
			expect(await raceCompletions(backing.instances, 50)).toEqual({
				moved: 1,
				taken: 0,
				nothing: 49,
				failed: 0
			});
		}
	});

	it('completing does nothing when the challenge is missing or of another change', async () => {
		const { user, session, change } = await adaMoving();
		const other = await signedIn();
		const bobs = await signedIn(bob);
		const { challenges } = backing.stores;
		await challenges.issue(aChallenge(), at(0));
		for (const not of [
			{ challengeId: newChallengeId() },
			{ to: dora },
			{ userId: bobs.user.id, from: bob },
			{ from: dora },
			{ userId: newUserId() }
		]) {
			expect(await port().complete({ ...change, ...not }, at(5))).toBeNull();
		}
		expect((await userAt(ada))?.updatedAt).toEqual(user.updatedAt);
		expect(await userAt(bob)).toMatchObject(bobs.user);
		const open = await backing.stores.sessions.listOf(user.id, at(6));
		expect(open.map(({ id }) => id).sort()).toEqual([session.id, other.session.id].sort());
		expect(await challenges.countAttempt(anAttempt(), at(1), policy)).not.toBeNull();
		expect((await moved(change)).user.email).toBe(carol);
	});

	it('completing does nothing for a deleted account', async () => {
		const { user, change } = await adaMoving();
		await backing.stores.accounts.delete(user.id, at(1));
		// Deleting voids changes; one that the test puts back still has no effect.
		const { challenges } = backing.stores;
		const again = aChallenge({ purpose: 'email_change', email: carol, boundTo: user.id });
		await challenges.issue({ ...again, id: change.challengeId }, at(0));
		expect(await port().complete(change, at(5))).toBeNull();
		expect(await userAt(carol)).toBeNull();
		expect((await userAt(ada))?.id).toBe(user.id);
	});

	it('K07: an address that another account has is taken, and nothing changes, the challenge included', async () => {
		const { user, session, change } = await adaMoving(bob);
		await signedIn();
		await backing.stores.challenges.issue(aChallenge(), at(0));
		const bobs = await signedIn(bob);
		expect(await port().complete(change, at(5))).toBe('email_taken');
		expect(await userAt(ada)).toMatchObject(user);
		expect(await userAt(bob)).toMatchObject(bobs.user);
		expect(await backing.stores.sessions.listOf(user.id, at(6))).toHaveLength(2);
		expect((await pendingOf(user.id, at(6)))?.id).toBe(change.challengeId);
		const attempt = anAttempt();
		const { challenges } = backing.stores;
		expect(await challenges.countAttempt(attempt, at(1), policy)).not.toBeNull();
		expect(session.userId).toBe(user.id);
	});

	it('K07: a deleted account still has its address', async () => {
		const { change } = await adaMoving(bob);
		const bobs = await signedIn(bob);
		await backing.stores.accounts.delete(bobs.user.id, at(2));
		expect(await port().complete(change, at(5))).toBe('email_taken');
		expect((await userAt(bob))?.id).toBe(bobs.user.id);
	});

	it('an address that can no longer undo the change is free for others, and for that account again', async () => {
		const { user, session, change } = await adaMoving();
		await moved({ ...change, undo: { ...change.undo, expiresAt: at(0) } });
		const newcomer = await signedIn(ada);
		expect(newcomer.user.id).not.toBe(user.id);
		const back = aChange({ user, session }, ada, { createdAt: at(6) });
		await request(back, carol);
		const there = { user: { ...user, email: carol }, session };
		const changeBack = completing({ ...newcomer, ...there }, back);
		expect(await port().complete(changeBack, at(7))).toBe('email_taken');
		await backing.stores.accounts.delete(newcomer.user.id, at(8));
		await backing.stores.accounts.purge(at(8), 1);
		expect((await moved(changeBack, at(9))).user.email).toBe(ada);
	});

	it('K07: of two accounts that concurrently move to one address exactly one gets it, and the other gets the error that it is taken', async () => {
		const count = rounds(5, 300);
		expect(await raceForOneAddress(backing.instances, count)).toEqual({
			moved: count,
			taken: count,
			nothing: 0,
			failed: 0,
			wrong: 0
		});
	});

	it('K07: a sign-up concurrent with a move to the same address leaves one owner and causes no error', async () => {
		expect(await raceSignUpBesideMove(backing.instances, rounds(5, 400))).toEqual({
			failed: 0,
			torn: 0
		});
	});

	it('K07: two accounts that want each other’s address both get the error that it is taken', async () => {
		const both = 2 * rounds(20, 300);
		expect(await raceSwap(backing.instances, both / 2)).toEqual({
			moved: 0,
			taken: both,
			nothing: 0,
			failed: 0,
			stayed: both
		});
	});

	it('a sign-in at the old address during the move leaves no session', async () => {
		expect(await raceMoveBesideSignIn(backing.instances, rounds(5, 400))).toEqual({
			failed: 0,
			left: 0
		});
	});
});
