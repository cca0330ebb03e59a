import { aSend } from '../../support/domain/builders.ts';
import type { Email } from '#lib/domain/email.ts';
import { challengeState, type Challenge } from '#lib/domain/sign-in/ports.ts';
import type { Stores } from '#lib/domain/stores.ts';
import { secondsAfter } from '#lib/domain/time.ts';
import {
	aChallenge,
	aGuess,
	aHash,
	anEmail,
	aRedemption,
	at,
	policy,
	signedIn
} from './examples.ts';

/*
 * Counts what happens under concurrent operations. The contract asserts the right numbers on every
 * adapter; the naive twins give wrong ones on the databases.
 */

export type Instances = readonly Stores[];
type Instance = Stores;

export const instanceOf = (instances: Instances, index: number): Instance =>
	instances[index % instances.length] as Instance;

/** How many operations failed. */
export const faults = (outcomes: readonly PromiseSettledResult<unknown>[]): number =>
	outcomes.filter(({ status }) => status === 'rejected').length;

export const atOnce = <T>(
	instances: Instances,
	count: number,
	race: (instance: Instance, index: number) => Promise<T>
): Promise<T[]> =>
	Promise.all(
		Array.from({ length: count }, (_, index) => race(instanceOf(instances, index), index))
	);

/** How many of these guesses at one code are compared. */
export const raceGuesses = async (instances: Instances, count: number): Promise<number> => {
	const challenge = aChallenge({ email: anEmail() });
	await instanceOf(instances, 0).challenges.issue(challenge, at(0));
	const guesses = await atOnce(instances, count, ({ challenges }) =>
		challenges.countAttempt(aGuess({ email: challenge.email }), at(1), policy)
	);
	return guesses.filter(
		(counted) => counted !== null && challengeState(counted, at(1), policy) === 'open'
	).length;
};

/** How many of these redemptions of one code succeed. */
export const raceRedemptions = async (
	instances: Instances,
	count: number,
	email: Email = anEmail()
): Promise<number> => {
	const challenge = aChallenge({ email });
	await instanceOf(instances, 0).challenges.issue(challenge, at(0));
	const redeemed = await atOnce(instances, count, ({ signIns }) =>
		signIns.redeem(aRedemption(challenge))
	);
	return redeemed.filter((one) => one !== null).length;
};

/** Sign-ins to one account at once, which may have `most` sessions. */
export const raceForSessions = async (
	instances: Instances,
	count: number,
	most: number
): Promise<{ left: number; ended: number; endedTwice: number; failed: number }> => {
	const first = instanceOf(instances, 0);
	const email = anEmail();
	const challenges = Array.from({ length: count + 1 }, () =>
		aChallenge({ email, boundTo: aHash() })
	);
	for (const one of challenges) await first.challenges.issue(one, at(0));
	const [opening, ...racing] = challenges.map((one) =>
		aRedemption(one, { sessionsPerAccount: most })
	);
	if (opening === undefined) throw new Error('no sign-ins');
	const { user, session } = signedIn(await first.signIns.redeem(opening));
	await first.sessions.endOne(user.id, session.id);
	const outcomes = await Promise.allSettled(
		racing.map((one, index) => instanceOf(instances, index).signIns.redeem(one))
	);
	const ended = outcomes.flatMap((one) =>
		one.status === 'fulfilled' ? signedIn(one.value).ended : []
	);
	return {
		left: await first.sessions.countOf(user.id, at(1)),
		ended: ended.length,
		endedTwice: ended.length - new Set(ended).size,
		failed: faults(outcomes)
	};
};

/** Codes for one new address, each redeemed at the same moment. */
export const raceFirstSignIns = async (
	instances: Instances,
	count: number
): Promise<{ signedIn: number; failed: number; created: number; users: number }> => {
	const email = anEmail();
	const challenges = Array.from({ length: count }, () => aChallenge({ email, boundTo: aHash() }));
	for (const one of challenges) await instanceOf(instances, 0).challenges.issue(one, at(0));
	const outcomes = await Promise.allSettled(
		challenges.map((one, index) => instanceOf(instances, index).signIns.redeem(aRedemption(one)))
	);
	const redeemed = outcomes.flatMap((one) =>
		one.status === 'fulfilled' && one.value?.kind === 'signed_in' ? [one.value] : []
	);
	return {
		signedIn: redeemed.length,
		failed: faults(outcomes),
		created: redeemed.filter((one) => one.created).length,
		users: new Set(redeemed.map((one) => one.user.id)).size
	};
};

/** One guess from counting to consuming; true when it signed in. */
export type Verify = (instance: Instance, of: Challenge, right: boolean) => Promise<boolean>;

/** As the use-case does it. */
export const verify: Verify = async ({ challenges, signIns }, { email, boundTo, id }, right) => {
	const counted = await challenges.countAttempt(aGuess({ email, boundTo }), at(1), policy);
	if (counted === null || challengeState(counted, at(1), policy) !== 'open') return false;
	await comparing();
	if (!right || counted.id !== id) return false;
	return (await signIns.redeem(aRedemption(counted))) !== null;
};

/** Comparing a slow hash lets other work run. */
export const comparing = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** In how many rounds the right code lost to a concurrent wrong guess. */
export const raceWrongBesideRight = async (
	instances: Instances,
	rounds: number,
	attempt: Verify = verify
): Promise<number> => {
	let lost = 0;
	for (let round = 0; round < rounds; round += 1) {
		const challenge = aChallenge({ email: anEmail() });
		await instanceOf(instances, 0).challenges.issue(challenge, at(0));
		const order = round % 2 === 0 ? [false, true] : [true, false];
		const outcomes = await Promise.all(
			order.map((right, index) => attempt(instanceOf(instances, index), challenge, right))
		);
		if (!outcomes.includes(true)) lost += 1;
	}
	return lost;
};

/** A new code is issued during a wrong guess at the earlier one. */
export const raceIssueBesideGuess = async (
	instances: Instances,
	rounds: number,
	attempt: Verify = verify
): Promise<{ earlierWorked: number; newestFailed: number }> => {
	let earlierWorked = 0;
	let newestFailed = 0;
	const first = instanceOf(instances, 0);
	for (let round = 0; round < rounds; round += 1) {
		const earlier = aChallenge({ email: anEmail() });
		const newest = aChallenge({ email: earlier.email });
		await first.challenges.issue(earlier, at(0));
		const guessing = attempt(first, earlier, false);
		// Alternates between the moment of counting and the moment of comparing.
		if (round % 2 === 0) await comparing();
		await Promise.all([guessing, instanceOf(instances, 1).challenges.issue(newest, at(0))]);
		if (await attempt(first, earlier, true)) earlierWorked += 1;
		if (!(await attempt(first, newest, true))) newestFailed += 1;
	}
	return { earlierWorked, newestFailed };
};

/** How many of these sends to one mailbox are allowed. */
export const raceSends = async (
	instances: Instances,
	count: number,
	email: Email | ((index: number) => Email) = anEmail(),
	now = at(0)
): Promise<number> => {
	const hits = await atOnce(instances, count, ({ throttle }, index) =>
		throttle.hit(aSend(typeof email === 'string' ? email : email(index), now), policy)
	);
	return hits.filter(({ kind }) => kind === 'allowed').length;
};

/** How many of these concurrent wrong guesses are counted. */
export const raceFailures = async (instances: Instances, count: number): Promise<number> => {
	const email = anEmail();
	await atOnce(instances, count, ({ throttle }) => throttle.countFailure(email, at(0)));
	const hit = await instanceOf(instances, 0).throttle.hit(aSend(email, at(1)), policy);
	return hit.kind === 'allowed' ? hit.failures : -1;
};

/** How many of these refreshes of one due session report that they refreshed it. */
export const raceRefreshes = async (instances: Instances, count: number): Promise<number> => {
	const { challenges, signIns } = instanceOf(instances, 0);
	const challenge = aChallenge({ email: anEmail() });
	await challenges.issue(challenge, at(0));
	const redeemed = signedIn(await signIns.redeem(aRedemption(challenge)));
	const now = secondsAfter(redeemed.session.updatedAt, policy.session.refreshAfter);
	const refreshed = await atOnce(instances, count, ({ sessions }) =>
		sessions.refresh(
			redeemed.session.id,
			now,
			secondsAfter(now, -policy.session.refreshAfter),
			secondsAfter(now, policy.session.lifetime)
		)
	);
	return refreshed.filter((session) => session !== null).length;
};
