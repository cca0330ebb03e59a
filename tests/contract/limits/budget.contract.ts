import { expect, it } from 'vitest';
import type { SendVerdict, Send } from '#lib/domain/limits/ports.ts';
import type { AuthPolicy } from '#lib/domain/policy.ts';
import { aNetwork, aProof, aSend } from '../../support/domain/builders.ts';
import { ada, anEmail, at, policy, rounds } from '../stores/examples.ts';
import { storeContract } from '../stores/suite.ts';
import {
	limitedTo,
	raceBothForBudget,
	raceForBudget,
	raceGiveBacks,
	raceInNetwork,
	raceOneProof
} from './budget-races.ts';

const HOUR = 3600;
let networks = 0;
/** Another network each time. */
const elsewhere = () => aNetwork(`network ${(networks += 1)}`);

export const budgetContract = storeContract('emails of an hour', (backing) => {
	const port = () => backing.stores.throttle;
	const send = (seconds: number, changes: Partial<Send>, of: AuthPolicy) =>
		port().countSend(aSend(anEmail(), at(seconds), { network: elsewhere(), ...changes }), of);
	const allowed = async (amount: number, next: () => Promise<SendVerdict>): Promise<number> => {
		let count = 0;
		for (let sent = 0; sent < amount; sent += 1) if ((await next()).kind === 'allowed') count += 1;
		return count;
	};

	it('unknown clients get the first 80 %, known devices the rest, and the next hour is new', async () => {
		const limited = limitedTo(50);
		const known = (seconds: number) => send(seconds, { isKnown: true }, limited);
		expect(await allowed(8, () => known(0))).toBe(8);
		expect(await allowed(40, () => send(1, {}, limited))).toBe(32);
		expect(await send(2, {}, limited)).toEqual({ kind: 'over_budget' });
		expect(await allowed(20, () => known(3))).toBe(10);
		expect(await known(HOUR - 1)).toEqual({ kind: 'over_budget' });
		expect(await send(HOUR, {}, limited)).toEqual({ kind: 'allowed', wrongCodes: 0, emails: 1 });
	});

	it.each([1, 2, 17])('a limit of %i is used up exactly', async (limit) => {
		const limited = limitedTo(limit);
		const share = Math.max(1, Math.floor(limit * 0.8 + 1e-9));
		expect(await allowed(limit, () => send(0, {}, limited))).toBe(share);
		expect(await allowed(limit + 1, () => send(0, { isKnown: true }, limited))).toBe(limit - share);
	});

	it.each([
		[1000, 20],
		[100, 5]
	])('with a limit of %i a network gets %i, known devices included', async (limit, most) => {
		const limited = limitedTo(limit);
		const here = { network: aNetwork('office') };
		const isKnown = () => most % 2 === 0;
		expect(await allowed(3, () => send(0, { ...here, isKnown: !isKnown() }, limited))).toBe(3);
		expect(await allowed(most, () => send(0, { ...here, isKnown: isKnown() }, limited))).toBe(
			most - 3
		);
		expect(await send(0, { ...here, isKnown: true }, limited)).toEqual({
			kind: 'network_full'
		});
		expect((await send(0, {}, limited)).kind).toBe('allowed');
		expect((await send(HOUR, here, limited)).kind).toBe('allowed');
	});

	it('a refused send counts nothing anywhere', async () => {
		const limited = limitedTo(1);
		await send(0, {}, limited);
		const { rows } = backing;
		const before = [await rows('throttle'), await rows('siteCounts')];
		await send(0, {}, limited);
		await send(0, { network: aNetwork('another') }, limited);
		expect([await rows('throttle'), await rows('siteCounts')]).toEqual(before);
	});

	it('a full mailbox takes nothing from the hour', async () => {
		const limited = limitedTo(100);
		const toAda = () => port().countSend(aSend(ada, at(0), { network: elsewhere() }), limited);
		expect(await allowed(20, toAda)).toBe(5);
		expect(await send(1, {}, limited)).toMatchObject({ emails: 6 });
	});

	it('of concurrent sends exactly the share is allowed', async () => {
		for (let round = 0; round < rounds(1, 20); round += 1) {
			await backing.clear();
			expect(await raceForBudget(backing.instances, 60, 40)).toBe(32);
			// A send that was refused at the last moment leaves no row of its mailbox.
			expect(await backing.rows('throttle')).toBe(32);
		}
	});

	it('of concurrent sends of known devices exactly the limit is allowed', async () => {
		expect(await raceForBudget(backing.instances, 60, 40, true)).toBe(40);
	});

	it('of concurrent sends of both, unknown clients get at most the share, and together all', async () => {
		const { all, unknown } = await raceBothForBudget(backing.instances, 60, 30);
		expect(all).toBe(30);
		expect(unknown).toBeLessThanOrEqual(24);
	});

	it('of concurrent sends of one network exactly its part is allowed', async () => {
		expect(await raceInNetwork(backing.instances, 40, 500)).toBe(10);
	});

	it('giving a send back returns its email to the hour and to the network', async () => {
		const limited = limitedTo(5);
		const sent = aSend(ada, at(0), { isKnown: true });
		const fill = () => port().countSend(aSend(anEmail(), at(0), { isKnown: true }), limited);
		expect((await port().countSend(sent, limited)).kind).toBe('allowed');
		expect(await allowed(10, fill)).toBe(4);
		await port().giveBack(sent);
		await port().giveBack(sent);
		expect(await allowed(3, fill)).toBe(1);
	});

	it('concurrent sends that are all given back leave the whole limit', async () => {
		expect(await raceGiveBacks(backing.instances, 20, 8)).toBe(8);
	});

	it('without a limit nothing is counted', async () => {
		expect(await allowed(30, () => send(0, {}, policy))).toBe(30);
		expect(await backing.rows('siteCounts')).toBe(0);
	});

	it('counts are pruned after a day, at most so many at a time', async () => {
		for (const seconds of [0, HOUR]) await send(seconds, {}, limitedTo(9));
		const prune = (seconds: number) => port().pruneCounts(at(seconds), 1);
		const day = 24 * HOUR;
		expect(await prune(day - 0.001)).toBe(0);
		expect([await prune(day), await prune(day), await prune(day)]).toEqual([1, 1, 0]);
		expect(await backing.rows('siteCounts')).toBe(2);
	});
});

export const spentProofsContract = storeContract('spent proofs', (backing) => {
	const port = () => backing.stores.spentProofs;

	it('a proof is accepted once', async () => {
		const proof = aProof();
		expect([await port().spend(proof), await port().spend(proof)]).toEqual([true, false]);
		expect(await port().spend(aProof())).toBe(true);
	});

	it('R14: of concurrent uses of one proof exactly one is accepted', async () => {
		for (let round = 0; round < rounds(1, 50); round += 1) {
			expect(await raceOneProof(backing.instances, 20)).toBe(1);
		}
	});

	it('pruning removes proofs that expired, and no others, at most so many at a time', async () => {
		const proofs = [300, 300, 301].map((seconds) => aProof({ expiresAt: at(seconds) }));
		for (const proof of proofs) await port().spend(proof);
		expect(await port().prune(at(299.999), 10)).toBe(0);
		expect([await port().prune(at(300), 1), await port().prune(at(300), 9)]).toEqual([1, 1]);
		expect(await port().spend(aProof(proofs[2]))).toBe(false);
	});
});
