import { withEmailBudget } from '#lib/domain/limits/budget.ts';
import type { SendProof } from '#lib/domain/limits/send-proof.ts';
import type { Hit } from '#lib/domain/limits/throttle.ts';
import type { UserId } from '#lib/domain/ids.ts';
import type { AuthPolicy } from '#lib/domain/policy.ts';
import { aNetwork, aProof, aSend } from '../../support/domain/builders.ts';
import { anEmail, at, newUserId, policy } from '../stores/examples.ts';
import { atOnce, instanceOf, type Instances } from '../stores/races.ts';

/*
 * Counts what concurrent sends get from the budget. The contract asserts the right numbers on every
 * adapter; the naive twin gives wrong ones on the databases.
 */

/** A limit, without the rules that ask networks for work. */
export const limitedTo = (limit: number): AuthPolicy => {
	const { budget } = withEmailBudget(policy, limit);
	return {
		...policy,
		budget: { ...budget, proofFrom: 1, networkShare: 1 }
	};
};

export const allowedOf = (hits: readonly Hit[]): number =>
	hits.filter(({ kind }) => kind === 'allowed').length;

/** How many of these sends to different mailboxes are allowed. All have `limit` emails an hour. */
export const raceForBudget = async (
	instances: Instances,
	count: number,
	limit: number,
	knownAs: () => UserId | null = () => null
): Promise<number> => {
	const limited = limitedTo(limit);
	const hits = await atOnce(instances, count, ({ throttle }, index) =>
		throttle.hit(
			aSend(anEmail(), at(0), { knownAs: knownAs(), network: aNetwork(`${index}`) }),
			limited
		)
	);
	return allowedOf(hits);
};

/** Unknown clients and known devices race for a limit. */
export const raceBothForBudget = async (instances: Instances, count: number, limit: number) => {
	const limited = limitedTo(limit);
	const hits = await atOnce(instances, count, ({ throttle }, index) => {
		const knownAs = index % 2 === 0 ? newUserId() : null;
		const send = aSend(anEmail(), at(0), { knownAs, network: aNetwork(`${index}`) });
		return throttle.hit(send, limited);
	});
	const unknown = allowedOf(hits.filter((_, index) => index % 2 === 1));
	return { all: allowedOf(hits), unknown };
};

/** Follow-ups were counted, then sends race for the limit. Returns how many are allowed. */
export const raceAfterFollowUps = async (
	instances: Instances,
	followUps: number,
	limit: number
): Promise<number> => {
	await atOnce(instances, followUps, ({ siteCounts }) =>
		siteCounts.countEmail(at(0), limitedTo(limit))
	);
	return raceForBudget(instances, 40, limit, newUserId);
};

/** How many sends of one network are allowed without a proof. It may take `free` of them. */
export const raceInNetwork = async (
	instances: Instances,
	count: number,
	free: number
): Promise<number> => {
	const { budget } = withEmailBudget(policy, 1000);
	const networkShare = free / (1000 * budget.unknownShare);
	// Less than the next email, so that exactly `free` need no proof.
	const strict = { ...policy, budget: { ...budget, networkShare: networkShare - 0.0001 } };
	const hits = await atOnce(instances, count, ({ throttle }) =>
		throttle.hit(aSend(anEmail(), at(0), { proof: null }), strict)
	);
	return allowedOf(hits);
};

/** How many sends to different mailboxes one proof allows. All of them need one. */
export const raceOneProof = async (
	instances: Instances,
	count: number,
	proof: SendProof = aProof()
): Promise<number> => {
	const strict = { ...policy, throttle: { ...policy.throttle, networkFree: 0 } };
	const hits = await atOnce(instances, count, ({ throttle }) =>
		throttle.hit(aSend(anEmail(), at(0), { proof }), strict)
	);
	return allowedOf(hits);
};

/** How many checks one proof allows. */
export const raceOneCheck = async (instances: Instances, count: number): Promise<number> => {
	const proof = aProof();
	const spent = await atOnce(instances, count, ({ spentProofs }) =>
		spentProofs.spend(proof, aNetwork(), at(0), policy)
	);
	return spent.filter(Boolean).length;
};

/** How many tickets of one network are accepted at the same time. */
export const raceTickets = async (instances: Instances, count: number): Promise<number> => {
	const strict = { ...policy, throttle: { ...policy.throttle, networkFree: 0 } };
	const hits = await atOnce(instances, count, ({ throttle }) =>
		throttle.hit(
			aSend(anEmail(), at(30), { proof: aProof({ kind: 'ticket', level: 0, issuedAt: at(0) }) }),
			strict
		)
	);
	return allowedOf(hits);
};

/** How many sends for tickets are allowed, each from another network, with this limit. */
export const raceForTicketShare = async (
	instances: Instances,
	count: number,
	limit: number
): Promise<number> => {
	const strict = { ...limitedTo(limit), throttle: { ...policy.throttle, networkFree: 0 } };
	const hits = await atOnce(instances, count, ({ throttle }, index) => {
		const proof = aProof({ kind: 'ticket', level: 0, issuedAt: at(0) });
		return throttle.hit(aSend(anEmail(), at(30), { proof, network: aNetwork(`${index}`) }), strict);
	});
	return allowedOf(hits);
};

/** Sends and gives back at once. Returns how many sends the limit then still allows. */
export const raceGiveBacks = async (
	instances: Instances,
	count: number,
	limit: number
): Promise<number> => {
	const limited = limitedTo(limit);
	const sends = Array.from({ length: count }, (_, index) =>
		aSend(anEmail(), at(0), { network: aNetwork(`${index}`), knownAs: newUserId() })
	);
	await atOnce(instances, count, async ({ throttle }, index) => {
		const send = sends[index];
		if (send === undefined) return;
		await throttle.hit(send, limited);
		await throttle.giveBack({ ...send, at: send.now });
	});
	let left = 0;
	const { throttle } = instanceOf(instances, 0);
	for (;;) {
		const send = aSend(anEmail(), at(1), { knownAs: newUserId() });
		if ((await throttle.hit(send, limited)).kind !== 'allowed') return left;
		left += 1;
	}
};
