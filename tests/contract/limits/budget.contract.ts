import { describe, expect, it } from 'vitest';
import { withEmailBudget } from '#lib/domain/limits/budget.ts';
import type { AuthPolicy } from '#lib/domain/policy.ts';
import type { Hit, Send } from '#lib/domain/limits/throttle.ts';
import { sqlThrottle } from '#lib/adapters/sql/limits/throttle.ts';
import type { Sql } from '#lib/adapters/sql/sql.ts';
import type { UserId } from '#lib/domain/ids.ts';
import type { OpenBacking, SqlBacking } from '../../support/database/backing.ts';
import { aNetwork, aProof, aSend } from '../../support/domain/builders.ts';
import { ada, anEmail, at, newUserId, policy, rounds } from '../stores/examples.ts';
import { opened } from '../stores/suite.ts';
import {
	limitedTo,
	raceAfterFollowUps,
	raceBothForBudget,
	raceForBudget,
	raceForTicketShare,
	raceGiveBacks,
	raceInNetwork,
	raceOneCheck,
	raceOneProof,
	raceTickets
} from './budget-races.ts';

const HOUR = 3600;
/** The sends of a mailbox from another network each time. */
let networks = 0;
const elsewhere = () => aNetwork(`network ${(networks += 1)}`);

export const budgetContract = (name: string, open: OpenBacking): void => {
	describe(`budget of the site (${name})`, () => {
		const backing = opened(open);
		const port = () => backing().stores.throttle;
		const counts = () => backing().stores.siteCounts;
		const send = (seconds: number, changes: Partial<Send> = {}, of: AuthPolicy = policy) =>
			port().hit(
				aSend(anEmail(), at(seconds), { network: elsewhere(), proof: null, ...changes }),
				of
			);
		const kinds = async (amount: number, next: () => Promise<Hit>): Promise<string[]> => {
			const hits: string[] = [];
			for (let sent = 0; sent < amount; sent += 1) hits.push((await next()).kind);
			return hits;
		};
		const allowed = async (amount: number, next: () => Promise<Hit>): Promise<number> =>
			(await kinds(amount, next)).filter((kind) => kind === 'allowed').length;
		const ticket = (issued: number) => aProof({ kind: 'ticket', level: 0, issuedAt: at(issued) });

		describe('a mailbox', () => {
			it('the third to fifth send from one network need a proof, of rising work', async () => {
				const home = { network: aNetwork('home') };
				const hit = (changes: Partial<Send> = {}) =>
					port().hit(aSend(ada, at(0), { ...home, proof: null, ...changes }), policy);
				expect(await kinds(2, hit)).toEqual(['allowed', 'allowed']);
				for (const level of [0, 1, 2]) {
					expect(await hit()).toEqual({ kind: 'proof_required', level, ticketAllowed: true });
					const weak = aProof({ level: level - 1 });
					expect(await hit({ proof: weak })).toMatchObject({ kind: 'proof_required' });
					expect(await hit({ proof: aProof({ level }) })).toMatchObject({ kind: 'allowed' });
				}
				expect(await hit()).toEqual({ kind: 'full', retryAt: at(900), level: 2 });
			});

			it('another network needs none for its first two, whatever others have sent', async () => {
				const hit = (network: string) =>
					port().hit(aSend(ada, at(0), { network: aNetwork(network), proof: null }), policy);
				const seen = [];
				for (const from of ['a', 'a', 'a', 'b', 'b', 'c', 'd']) seen.push((await hit(from)).kind);
				expect(seen).toEqual([
					...['allowed', 'allowed', 'proof_required'],
					...['allowed', 'allowed', 'allowed', 'full']
				]);
			});

			it('a network’s sends that left the window need no proof, and a given back one neither', async () => {
				const hit = (seconds: number) =>
					port().hit(aSend(ada, at(seconds), { proof: null }), policy);
				expect([(await hit(0)).kind, (await hit(1)).kind]).toEqual(['allowed', 'allowed']);
				await port().giveBack({ email: ada, at: at(1), knownAs: null, network: aNetwork() });
				expect([(await hit(2)).kind, (await hit(3)).kind]).toEqual(['allowed', 'proof_required']);
				expect((await hit(900)).kind).toBe('allowed');
			});

			if (name !== 'memory') {
				const databaseOf = (): Sql => {
					const [sql] = (backing() as SqlBacking).databases;
					if (sql === undefined) throw new Error('not open yet');
					return sql;
				};

				it('that is full is refused without a transaction, so a flood of requests holds no connection', async () => {
					for (let sent = 0; sent < 5; sent += 1) await port().hit(aSend(ada, at(0)), policy);
					const refuse = (): never => {
						throw new Error('a transaction');
					};
					const throttle = sqlThrottle({ ...databaseOf(), transaction: refuse });
					expect((await throttle.hit(aSend(ada, at(1)), policy)).kind).toBe('full');
				});

				it('keeps the networks of unknown clients, and none of known devices', async () => {
					const networks = async (knownAs: UserId | null) => {
						await backing().clear();
						await port().hit(aSend(ada, at(0), { knownAs }), policy);
						const { db, tables, run } = databaseOf();
						const rows = await run(() => db.select().from(tables.authThrottle));
						return rows.map(({ network1, network2 }) => [network1, network2]);
					};
					expect(await networks(null)).toEqual([[aNetwork(), null]]);
					expect(await networks(newUserId())).toEqual([[null, null]]);
				});
			}

			it('known devices need no proof for any of their five sends', async () => {
				const knownAs = newUserId();
				const hit = () => port().hit(aSend(ada, at(0), { knownAs, proof: null }), policy);
				expect(await allowed(5, hit)).toBe(5);
				expect(await hit()).toEqual({ kind: 'full', retryAt: at(900), level: null });
			});
		});

		describe('a proof', () => {
			const tired = { ...policy, throttle: { ...policy.throttle, networkFree: 0 } };

			it('is spent by the send that it allows, and not by a refused one or one without need', async () => {
				const proof = aProof();
				expect((await send(0, { proof })).kind).toBe('allowed');
				expect((await send(0, { proof: aProof({ ...proof, level: -1 }) }, tired)).kind).toBe(
					'proof_required'
				);
				expect(await backing().rows('spentProofs')).toBe(0);
				expect((await send(0, { proof }, tired)).kind).toBe('allowed');
				expect((await send(0, { proof }, tired)).kind).toBe('proof_required');
			});

			it('a refused send counts nothing anywhere', async () => {
				const { rows } = backing();
				await send(0, {}, tired);
				await send(0, { proof: aProof() }, limitedTo(1));
				const full = async () => [await rows('throttle'), await rows('spentProofs')];
				expect(await full()).toEqual([0, 0]);
				expect(await allowed(5, () => send(1, { knownAs: newUserId() }, limitedTo(3)))).toBe(3);
			});

			it('S22 of concurrent sends with one proof exactly one is allowed', async () => {
				for (let round = 0; round < rounds(2, 50); round += 1) {
					expect(await raceOneProof(backing().instances, 20)).toBe(1);
				}
			});

			it('S22 of concurrent checks with one proof exactly one is allowed', async () => {
				expect(await raceOneCheck(backing().instances, 20)).toBe(1);
			});

			it('two tickets of one network are accepted, the next when it was issued after one was used', async () => {
				const home = { network: aNetwork('home') };
				const use = (now: number, issued: number) =>
					send(now, { ...home, proof: ticket(issued) }, tired);
				expect((await use(20, 0)).kind).toBe('allowed');
				expect((await use(21, 0)).kind).toBe('allowed');
				expect((await use(22, 0)).kind).toBe('proof_required');
				expect((await send(22, { proof: ticket(0) }, tired)).kind).toBe('allowed');
				expect((await use(40, 20)).kind).toBe('allowed');
				expect((await use(41, 20)).kind).toBe('proof_required');
			});

			it('work of a network leaves its tickets, and known devices leave both', async () => {
				const home = { network: aNetwork('home') };
				for (let sent = 0; sent < 3; sent += 1) await send(19, { ...home, proof: aProof() }, tired);
				await send(19, { ...home, knownAs: newUserId(), proof: ticket(0) }, tired);
				expect((await send(20, { ...home, proof: ticket(0) }, tired)).kind).toBe('allowed');
				expect((await send(21, { ...home, proof: ticket(0) }, tired)).kind).toBe('allowed');
			});

			it('S22 two tickets of one network are accepted for checks too, each once', async () => {
				const { spentProofs } = backing().stores;
				const [home, used] = [aNetwork('home'), ticket(0)];
				const spend = (seconds: number, proof = ticket(0), network = home) =>
					spentProofs.spend(proof, network, at(seconds), policy);
				expect([await spend(20, used), await spend(20, used, aNetwork('b'))]).toEqual([
					true,
					false
				]);
				expect([await spend(21), await spend(22)]).toEqual([true, false]);
				expect([await spend(22, ticket(0), aNetwork('b')), await spend(22, aProof())]).toEqual([
					true,
					true
				]);
				expect(await backing().rows('spentProofs')).toBe(4);
			});

			it('of concurrent tickets of one network exactly two are accepted', async () => {
				expect(await raceTickets(backing().instances, 20)).toBe(2);
			});

			it('of concurrent tickets from many networks exactly 5 % of the share are accepted', async () => {
				expect(await raceForTicketShare(backing().instances, 20, 100)).toBe(4);
			});

			it('tickets take 5 % of the share, then only work counts', async () => {
				const limited = { ...limitedTo(100), throttle: tired.throttle };
				const use = () => send(20, { proof: ticket(0) }, limited);
				expect(await allowed(4, use)).toBe(4);
				expect(await use()).toEqual({ kind: 'proof_required', level: 0, ticketAllowed: false });
				expect((await send(20, { proof: aProof() }, limited)).kind).toBe('allowed');
				expect((await send(HOUR + 20, { proof: ticket(HOUR) }, limited)).kind).toBe('allowed');
			});

			it('pruning removes proofs that expired, and no others', async () => {
				const proof = aProof({ expiresAt: at(300) });
				await send(0, { proof }, tired);
				const { spentProofs } = backing().stores;
				expect(await spentProofs.prune(at(299.999), 10)).toBe(0);
				expect((await send(299, { proof }, tired)).kind).toBe('proof_required');
				expect(await spentProofs.prune(at(300), 10)).toBe(1);
			});

			it('pruning removes at most the given number of proofs', async () => {
				for (let sent = 0; sent < 3; sent += 1) await send(0, { proof: aProof() }, tired);
				const { spentProofs } = backing().stores;
				expect(await spentProofs.prune(at(300), 2)).toBe(2);
				expect(await spentProofs.prune(at(300), 2)).toBe(1);
			});
		});

		describe('a limit', () => {
			it('S20 unknown clients get the first 80 %, known devices the rest, and the next hour is new', async () => {
				const limited = limitedTo(50);
				const known = (seconds: number) => send(seconds, { knownAs: newUserId() }, limited);
				expect(await allowed(8, () => known(0))).toBe(8);
				expect(await allowed(40, () => send(1, {}, limited))).toBe(32);
				expect(await send(2, {}, limited)).toEqual({ kind: 'over_budget', retryAt: at(HOUR) });
				expect(await allowed(20, () => known(3))).toBe(10);
				expect(await known(HOUR - 1)).toEqual({ kind: 'over_budget', retryAt: at(HOUR) });
				expect((await send(HOUR, {}, limited)).kind).toBe('allowed');
			});

			it.each([1, 2, 5, 16, 17, 40])('a limit of %i is used up exactly', async (limit) => {
				const limited = limitedTo(limit);
				const share = Math.floor(limit * 0.8 + 1e-9);
				expect(await allowed(limit, () => send(0, {}, limited))).toBe(share);
				const known = () => send(0, { knownAs: newUserId() }, limited);
				expect(await allowed(limit + 1, known)).toBe(limit - share);
			});

			it('S20 of concurrent sends exactly the share is allowed', async () => {
				for (let round = 0; round < rounds(2, 20); round += 1) {
					await backing().clear();
					expect(await raceForBudget(backing().instances, 60, 40)).toBe(32);
					// A send that was refused at the last moment leaves no row of its mailbox.
					expect(await backing().rows('throttle')).toBe(32);
				}
			});

			it('of as many concurrent sends as the share none is refused because others hold the rows', async () => {
				for (let round = 0; round < rounds(2, 20); round += 1) {
					await backing().clear();
					expect(await raceForBudget(backing().instances, 48, 60)).toBe(48);
				}
			});

			it('of concurrent sends of known devices exactly the limit is allowed', async () => {
				for (let round = 0; round < rounds(2, 20); round += 1) {
					await backing().clear();
					expect(await raceForBudget(backing().instances, 60, 40, newUserId)).toBe(40);
				}
			});

			it('of concurrent sends of both, unknown clients get at most the share and all the limit', async () => {
				for (let round = 0; round < rounds(2, 20); round += 1) {
					await backing().clear();
					const { all, unknown } = await raceBothForBudget(backing().instances, 100, 30);
					expect(all).toBe(30);
					expect(unknown).toBeLessThanOrEqual(24);
				}
			});

			it('giving a send back returns its email to the hour and to the network', async () => {
				const limited = limitedTo(10);
				const sent = aSend(ada, at(0), { proof: null });
				expect((await port().hit(sent, limited)).kind).toBe('allowed');
				expect(await allowed(10, () => send(0, {}, limited))).toBe(7);
				await port().giveBack({ ...sent, at: at(0) });
				await port().giveBack({ ...sent, at: at(0) });
				expect(await allowed(3, () => send(0, {}, limited))).toBe(1);
			});

			it('S21 a network gets a given back email again, and its known devices take nothing from it', async () => {
				const limited = withEmailBudget(policy, 1000);
				const here = { network: aNetwork('office') };
				const known = () => send(0, { ...here, knownAs: newUserId() }, limited);
				expect(await allowed(20, known)).toBe(20);
				const sent = aSend(ada, at(0), { ...here, proof: null });
				expect((await port().hit(sent, limited)).kind).toBe('allowed');
				expect(await allowed(20, () => send(0, here, limited))).toBe(16);
				await port().giveBack({ ...sent, at: at(0) });
				expect(await allowed(2, () => send(0, here, limited))).toBe(1);
			});

			it('concurrent sends that are all given back leave the whole limit', async () => {
				expect(await raceGiveBacks(backing().instances, 20, 8)).toBe(8);
			});

			it('a follow-up is never refused, and counts', async () => {
				const limited = limitedTo(10);
				for (let sent = 0; sent < 6; sent += 1) await counts().countEmail(at(0), limited);
				expect(await allowed(5, () => send(0, {}, limited))).toBe(2);
				for (let sent = 0; sent < 6; sent += 1) await counts().countEmail(at(0), limited);
				expect((await send(0, { knownAs: newUserId() }, limited)).kind).toBe('over_budget');
			});

			it('a follow-up above the limit counts: the place of a given back email is its own', async () => {
				const limited = limitedTo(5);
				const knownAs = newUserId();
				const sent = aSend(ada, at(0), { knownAs });
				expect((await port().hit(sent, limited)).kind).toBe('allowed');
				expect(await allowed(5, () => send(0, { knownAs: newUserId() }, limited))).toBe(4);
				await counts().countEmail(at(0), limited);
				await port().giveBack({ ...sent, at: at(0) });
				expect((await port().hit(sent, limited)).kind).toBe('over_budget');
			});

			it('S20 of concurrent sends after follow-ups exactly the rest is allowed', async () => {
				expect(await raceAfterFollowUps(backing().instances, 5, 8)).toBe(3);
			});

			it('each unknown client proves work once 60 % are used, known devices never', async () => {
				const limited = withEmailBudget(policy, 100);
				expect(await kinds(60, () => send(0, {}, limited))).not.toContain('proof_required');
				expect(await send(0, {}, limited)).toMatchObject({ kind: 'proof_required', level: 0 });
				expect((await send(0, { knownAs: newUserId() }, limited)).kind).toBe('allowed');
				expect((await send(0, { proof: aProof() }, limited)).kind).toBe('allowed');
			});

			it('S21 a network that takes more than its part proves rising work, others do not', async () => {
				const limited = withEmailBudget(policy, 1000);
				const here = { network: aNetwork('greedy'), proof: aProof() };
				expect(await allowed(17, () => send(0, { ...here, proof: null }, limited))).toBe(17);
				const levels = new Set<number>();
				for (let sent = 0; sent < 70; sent += 1) {
					const hit = await send(0, { ...here, proof: null }, limited);
					if (hit.kind === 'proof_required') levels.add(hit.level);
					await send(0, { ...here, proof: aProof() }, limited);
				}
				expect([...levels]).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
				expect((await send(0, here, limited)).kind).toBe('over_budget');
				expect((await send(0, {}, limited)).kind).toBe('allowed');
				expect((await send(HOUR, { ...here, proof: null }, limited)).kind).toBe('allowed');
			});

			it('S21 a burst from one network gets no more without a proof than sends one by one', async () => {
				expect(await raceInNetwork(backing().instances, 40, 16)).toBe(16);
			});

			if (name !== 'memory') {
				it('the emails of the hour survive a restart', async () => {
					const limited = limitedTo(5);
					await allowed(3, () => send(0, {}, limited));
					await backing().reopen();
					expect(await allowed(3, () => send(0, {}, limited))).toBe(1);
				});
			}
		});

		describe('without a limit', () => {
			const busy = { ...policy, budget: { ...policy.budget, usual: 20 } };

			it('nothing is refused, and unknown clients prove work from the usual number on', async () => {
				expect(await allowed(20, () => send(0, {}, busy))).toBe(20);
				expect(await send(0, {}, busy)).toEqual({
					kind: 'proof_required',
					level: 0,
					ticketAllowed: true
				});
				expect(await allowed(40, () => send(0, { proof: aProof() }, busy))).toBe(40);
				expect(await send(0, {}, busy)).toMatchObject({ level: 1 });
			});

			it('unknown clients prove work when most codes are not used', async () => {
				const { budget } = policy;
				const unused = { ...policy, budget: { ...budget, unusedFrom: 10 } };
				expect(await allowed(10, () => send(0, {}, unused))).toBe(10);
				expect(await send(0, {}, unused)).toMatchObject({ kind: 'proof_required', level: 0 });
				await counts().countGuesses({ used: 2, wrong: 0 }, at(1));
				expect((await send(1, {}, unused)).kind).toBe('allowed');
				// Codes that were used in the hour before do not count.
				expect(await allowed(10, () => send(HOUR, {}, unused))).toBe(10);
				expect(await send(HOUR, {}, unused)).toMatchObject({ kind: 'proof_required', level: 0 });
			});

			it('when it is off, no email counts for the site', async () => {
				const off = withEmailBudget(busy, 'off');
				expect(await allowed(30, () => send(0, {}, off))).toBe(30);
				await counts().countEmail(at(0), off);
				expect(await backing().rows('siteCounts')).toBe(0);
			});
		});

		describe('wrong guesses', () => {
			it('those of the last minute are summed over all instances, and older ones are not', async () => {
				const { instances } = backing();
				for (const [index, seconds] of [0, 10, 50].entries()) {
					const { siteCounts } = instances[index % instances.length] ?? backing().stores;
					await siteCounts.countGuesses({ used: 1, wrong: 10 }, at(seconds));
				}
				const sum = (seconds: number) => counts().countGuesses({ used: 0, wrong: 0 }, at(seconds));
				expect([await sum(50), await sum(69), await sum(70), await sum(120)]).toEqual([
					30, 30, 20, 0
				]);
				// A clock that was set back does not see later ones.
				expect(await sum(9)).toBe(10);
			});

			it('counts are pruned after a day, at most so many at a time', async () => {
				for (const seconds of [0, 10, 20]) {
					await counts().countGuesses({ used: 0, wrong: 1 }, at(seconds));
				}
				const day = 24 * HOUR;
				expect(await counts().prune(at(day - 0.001), 10)).toBe(0);
				expect(await counts().prune(at(day + 20), 2)).toBe(2);
				expect(await counts().prune(at(day + 20), 2)).toBe(1);
			});
		});
	});
};
