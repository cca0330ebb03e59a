import type { SendVerdict } from '#lib/domain/limits/ports.ts';
import { withEmailBudget, type AuthPolicy } from '#lib/domain/policy.ts';
import { aNetwork, aProof, aSend } from '../../support/domain/builders.ts';
import { anEmail, at, newUserId, policy } from '../stores/examples.ts';
import { atOnce, instanceOf, type Instances } from '../stores/races.ts';

/*
 * Counts what concurrent sends get from the budget. The contract asserts the right numbers on every
 * adapter; the naive twin gives wrong ones on the databases.
 */

export const limitedTo = (limit: number): AuthPolicy => withEmailBudget(policy, limit);

const allowedOf = (hits: readonly SendVerdict[]): number =>
	hits.filter(({ kind }) => kind === 'allowed').length;

/** How many sends to different mailboxes are allowed, each from another network. */
export const raceForBudget = async (
	instances: Instances,
	count: number,
	limit: number,
	isKnown = false
): Promise<number> => {
	const limited = limitedTo(limit);
	const hits = await atOnce(instances, count, ({ throttle }, index) =>
		throttle.countSend(aSend(anEmail(), at(0), { isKnown, network: aNetwork(`${index}`) }), limited)
	);
	return allowedOf(hits);
};

/** Unknown clients and known devices race for a limit. */
export const raceBothForBudget = async (instances: Instances, count: number, limit: number) => {
	const limited = limitedTo(limit);
	const hits = await atOnce(instances, count, ({ throttle }, index) => {
		const isKnown = index % 2 === 0;
		const send = aSend(anEmail(), at(0), { isKnown, network: aNetwork(`${index}`) });
		return throttle.countSend(send, limited);
	});
	const unknown = allowedOf(hits.filter((_, index) => index % 2 === 1));
	return { all: allowedOf(hits), unknown };
};

/** How many sends of one network are allowed. */
export const raceInNetwork = async (
	instances: Instances,
	count: number,
	limit: number
): Promise<number> => {
	const limited = limitedTo(limit);
	const hits = await atOnce(instances, count, ({ throttle }, index) =>
		throttle.countSend(aSend(anEmail(), at(0), { isKnown: index % 2 === 0 }), limited)
	);
	return allowedOf(hits);
};

/** How often one proof is accepted. */
export const raceOneProof = async (instances: Instances, count: number): Promise<number> => {
	const proof = aProof();
	const spent = await atOnce(instances, count, ({ spentProofs }) => spentProofs.spend(proof));
	return spent.filter(Boolean).length;
};

/** Sends and gives back at once. Returns how many sends the limit then still allows. */
export const raceGiveBacks = async (
	instances: Instances,
	count: number,
	limit: number
): Promise<number> => {
	const limited = limitedTo(limit);
	const sends = Array.from({ length: count }, (_, index) =>
		aSend(anEmail(), at(0), {
			network: aNetwork(`${index}`),
			chargedKey: newUserId(),
			isKnown: true
		})
	);
	await atOnce(instances, count, async ({ throttle }, index) => {
		const send = sends[index];
		if (send === undefined) return;
		const { kind } = await throttle.countSend(send, limited);
		if (kind === 'allowed') await throttle.giveBack(send);
	});
	let left = 0;
	const { throttle } = instanceOf(instances, 0);
	for (;;) {
		const network = aNetwork(`later ${left}`);
		const send = aSend(anEmail(), at(1), { isKnown: true, network });
		if ((await throttle.countSend(send, limited)).kind !== 'allowed') return left;
		left += 1;
	}
};
