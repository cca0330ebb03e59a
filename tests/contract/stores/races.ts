import { aSend } from '../../support/domain/builders.ts';
import type { Email } from '#lib/domain/email.ts';
import type { Challenge } from '#lib/domain/sign-in/ports.ts';
import { challengeState } from '#lib/domain/sign-in/challenge.ts';
import type { Stores } from '#lib/domain/deps.ts';
import { secondsAfter } from '#lib/domain/time.ts';
import { askedFor, signIn } from '../account/account-examples.ts';
import { aChallenge, anAttempt, anEmail, aRedemption, at, policy } from './examples.ts';

/*
 * Counts what happens under concurrent operations. The contract asserts the right numbers on every
 * adapter; the naive twins give wrong ones on the databases.
 */

export type Instances = readonly Stores[];

export const instanceOf = (instances: Instances, index: number): Stores =>
	instances[index % instances.length] as Stores;

/** One operation many times, spread over the instances. */
export const racers = <T>(
	instances: Instances,
	count: number,
	race: (instance: Stores, index: number) => Promise<T>
): Promise<T>[] =>
	Array.from({ length: count }, (_, index) => race(instanceOf(instances, index), index));

/** As `racers`, for operations that never fail: what all of them returned. */
export const atOnce = <T>(...race: Parameters<typeof racers<T>>): Promise<T[]> =>
	Promise.all(racers(...race));

/** Waits for all operations. Returns what they returned, and how many failed. */
export const settle = async <T>(
	operations: readonly Promise<T>[]
): Promise<{ readonly values: T[]; readonly failed: number }> => {
	const outcomes = await Promise.allSettled(operations);
	const values = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
	return { values, failed: outcomes.length - values.length };
};

/** Comparing a slow hash lets other work run. */
export const comparing = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Yields some turns, so that rounds meet at different statements. */
export const after = async <T>(
	turns: number,
	then: () => Promise<T>,
	turn: () => Promise<void> = comparing
): Promise<T> => {
	for (let passed = 0; passed < turns; passed += 1) await turn();
	return then();
};

/** Yields less: between two statements of a database that answers immediately. */
export const soonAfter = <T>(turns: number, then: () => Promise<T>): Promise<T> =>
	after(turns, then, () => Promise.resolve());

/**
 * A race in rounds, with the sum of what each round counts. With `until`, it ends after the first round
 * that counts this.
 */
export const inRounds =
	<Counts extends Readonly<Record<string, number>>>(
		race: (first: Stores, round: number, instances: Instances) => Promise<Counts>
	) =>
	async (instances: Instances, rounds: number, until?: keyof Counts): Promise<Counts> => {
		const sums: Record<string, number> = {};
		for (let round = 0; round < rounds && !sums[String(until)]; round += 1) {
			const counts = await race(instanceOf(instances, 0), round, instances);
			for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
		}
		return sums as Counts;
	};

/** Which of these attempts at one code are counted, and as which attempt. */
export const raceAttempts = async (instances: Instances, count: number): Promise<number[]> => {
	const email = anEmail();
	await instanceOf(instances, 0).challenges.issue(aChallenge({ email }), at(0));
	const attempts = await atOnce(instances, count, ({ challenges }) =>
		challenges.countAttempt(anAttempt({ email }), at(1), policy)
	);
	return attempts.flatMap((one) => (one === null ? [] : [one.attemptsUsed])).toSorted();
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

/** Codes for one address, each entered at the same moment. */
const raceSignIns = async (
	instances: Instances,
	count: number,
	...code: [Email, Parameters<typeof askedFor>[2]?]
) => {
	const first = instanceOf(instances, 0);
	const codes = Array.from({ length: count }, () => askedFor(first, ...code));
	const entered = (await Promise.all(codes)).map((enter, i) => enter(instanceOf(instances, i)));
	const { values, failed } = await settle(entered);
	return { failed, signedIn: values.flatMap((one) => (one?.kind === 'signed_in' ? [one] : [])) };
};

/** Sign-ins to one account at once, which may have `most` sessions. */
export const raceForSessions = async (instances: Instances, count: number, most: number) => {
	const first = instanceOf(instances, 0);
	const { user, session } = await signIn(first, anEmail());
	await first.sessions.endOne(user.id, session.id);
	const rules = { sessionsPerAccount: most };
	const { failed, signedIn } = await raceSignIns(instances, count, user.email, rules);
	const ended = signedIn.flatMap((one) => one.ended);
	return {
		left: (await first.sessions.listOf(user.id, at(1))).length,
		ended: ended.length,
		endedTwice: ended.length - new Set(ended).size,
		failed
	};
};

/** Codes for one new address, each redeemed at the same moment. */
export const raceFirstSignIns = async (instances: Instances, count: number) => {
	const { failed, signedIn } = await raceSignIns(instances, count, anEmail());
	return {
		signedIn: signedIn.length,
		failed,
		created: signedIn.filter((one) => one.created).length,
		users: new Set(signedIn.map((one) => one.user.id)).size
	};
};

/** One attempt from counting to consuming; true when it signed in. */
type Verify = (instance: Stores, of: Challenge, right: boolean) => Promise<boolean>;

/** As the use-case does it. */
const verify: Verify = async ({ challenges, signIns }, { email, boundTo, id }, right) => {
	const counted = await challenges.countAttempt(anAttempt({ email, boundTo }), at(1), policy);
	if (counted === null || challengeState(counted, at(1), policy) !== 'open') return false;
	await comparing();
	if (!right || counted.id !== id) return false;
	return (await signIns.redeem(aRedemption(counted))) !== null;
};

/** In how many rounds the right code lost to a concurrent wrong code. */
export const raceWrongBesideRight = (attempt: Verify = verify) =>
	inRounds(async (first, round, instances) => {
		const challenge = aChallenge({ email: anEmail() });
		await first.challenges.issue(challenge, at(0));
		const order = round % 2 === 0 ? [false, true] : [true, false];
		const outcomes = await atOnce(instances, 2, (instance, index) =>
			attempt(instance, challenge, order[index] === true)
		);
		return { lost: outcomes.includes(true) ? 0 : 1 };
	});

/** A new code is issued while a wrong one is entered for the earlier one. */
export const raceIssueBesideGuess = (attempt: Verify = verify) =>
	inRounds(async (first, round, instances) => {
		const earlier = aChallenge({ email: anEmail() });
		const newest = aChallenge({ email: earlier.email });
		await first.challenges.issue(earlier, at(0));
		const guessing = attempt(first, earlier, false);
		// Alternates between the moment of counting and the moment of comparing.
		if (round % 2 === 0) await comparing();
		await Promise.all([guessing, instanceOf(instances, 1).challenges.issue(newest, at(0))]);
		return {
			earlierWorked: Number(await attempt(first, earlier, true)),
			newestFailed: Number(!(await attempt(first, newest, true)))
		};
	});

/** How many of these sends to one mailbox are allowed. */
export const raceSends = async (
	instances: Instances,
	count: number,
	email: Email | ((index: number) => Email) = anEmail(),
	now = at(0)
): Promise<number> => {
	const hits = await atOnce(instances, count, ({ throttle }, index) =>
		throttle.countSend(aSend(typeof email === 'string' ? email : email(index), now), policy)
	);
	return hits.filter(({ kind }) => kind === 'allowed').length;
};

/** How many of these concurrent wrong codes are counted. */
export const raceWrongCodes = async (instances: Instances, count: number): Promise<number> => {
	const email = anEmail();
	await atOnce(instances, count, ({ throttle }) => throttle.countWrongCode(email, at(0), policy));
	const hit = await instanceOf(instances, 0).throttle.countSend(aSend(email, at(1)), policy);
	return hit.kind === 'allowed' ? hit.wrongCodes : -1;
};

/** How many of these refreshes of one due session report that they refreshed it. */
export const raceRefreshes = async (instances: Instances, count: number): Promise<number> => {
	const { session } = await signIn(instanceOf(instances, 0), anEmail());
	const { refreshAfter, lifetime } = policy.session;
	const now = secondsAfter(session.updatedAt, refreshAfter);
	const refreshed = await atOnce(instances, count, ({ sessions }) =>
		sessions.refresh(session.id, {
			now,
			dueSince: session.updatedAt,
			expiresAt: secondsAfter(now, lifetime)
		})
	);
	return refreshed.filter((one) => one !== null).length;
};
