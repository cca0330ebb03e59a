import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import type { Sql } from '#lib/adapters/sql/sql.ts';
import { sqlStores } from '#lib/adapters/sql/stores.ts';
import { postgresBacking, sqliteBacking, type SqlBacking } from '../../support/database/backing.ts';
import { naiveChallenges } from '../../support/twins/challenges.ts';
import { consumeAndRecreate } from '../../support/twins/consume-and-recreate.ts';
import { naiveEmailChanges } from '../../support/twins/email-changes.ts';
import { crowdingSignIns, naiveSessions } from '../../support/twins/sessions.ts';
import { naiveSignIns } from '../../support/twins/sign-ins.ts';
import { naiveSpentProofs, naiveThrottle } from '../../support/twins/throttle.ts';
import { unhurried } from '../../support/twins/unhurried.ts';
import { raceForBudget, raceInNetwork, raceOneProof } from '../limits/budget-races.ts';
import { ada, CAN_GO_WRONG } from './examples.ts';
import {
	raceCompletions,
	raceEndBesideMove,
	raceEndAllBesideSignIn,
	raceForOneAddress,
	raceMoveBesideSignIn,
	raceRequests,
	raceSignUpBesideMove
} from '../email-change/email-change-races.ts';
import {
	comparing,
	raceFailures,
	raceFirstSignIns,
	raceForSessions,
	raceGuesses,
	raceIssueBesideGuess,
	raceRedemptions,
	raceRefreshes,
	raceSends,
	raceWrongBesideRight,
	type Instances
} from './races.ts';

// Q09: shows that the contract’s race cases can fail. The usual ways to write these stores break
// the contract in the same races. If a race were too gentle, it would show here.

const twinsOn = (engine: string, open: () => Promise<SqlBacking>): void => {
	describe(`Q09 naive twins on ${engine}`, CAN_GO_WRONG, () => {
		let backing: SqlBacking;
		beforeAll(async () => {
			backing = await open();
		});
		beforeEach(() => backing.clear());
		afterAll(() => backing.close());

		const twins = (twin: (sql: Sql) => Partial<Instances[number]>): Instances =>
			backing.databases.map((sql) => ({ ...sqlStores(sql), ...twin(sql) }));
		const recreating = () => {
			const [sql] = backing.databases;
			if (sql === undefined) throw new Error('not open yet');
			return consumeAndRecreate(sql, sqlStores(sql).challenges, comparing);
		};

		it('A01: counting by reading and writing back compares more than five of 200 guesses', async () => {
			const naive = twins((sql) => ({ challenges: naiveChallenges(sql) }));
			expect(await raceGuesses(naive, 200)).toBeGreaterThan(5);
		});

		it('A03: looking up a code before using it redeems it more than once', async () => {
			const naive = twins((sql) => ({ signIns: naiveSignIns(sql) }));
			// With an existing account, so that no unique index helps by accident.
			await raceRedemptions(backing.instances, 1, ada);
			expect(await raceRedemptions(naive, 50, ada)).toBeGreaterThan(1);
		});

		it('A04: looking up an account before creating it fails first sign-ins that should have found it', async () => {
			const naive = twins((sql) => ({ signIns: naiveSignIns(sql) }));
			const { signedIn, failed } = await raceFirstSignIns(naive, 50);
			expect(failed).toBeGreaterThan(0);
			expect(signedIn).toBeLessThan(50);
		});

		it('A05: removing the code to compare it loses the right code to a concurrent wrong guess', async () => {
			expect(await raceWrongBesideRight(backing.instances, 10, recreating())).toBeGreaterThan(0);
		});

		it('A07: putting the code back after a wrong guess revives a superseded one', async () => {
			const { earlierWorked, newestFailed } = await raceIssueBesideGuess(
				backing.instances,
				20,
				recreating()
			);
			expect(earlierWorked).toBeGreaterThan(0);
			expect(newestFailed).toBeGreaterThan(0);
		});

		it('R06: looking up a session before moving moves an account by the request of an ended session', async () => {
			const naive = twins((sql) => ({ emailChanges: naiveEmailChanges(unhurried(sql)) }));
			expect((await raceEndBesideMove(naive, 16)).both).toBeGreaterThan(0);
		});

		it('B01: counting before writing allows more than five of 100 sends', async () => {
			const naive = twins((sql) => ({ throttle: naiveThrottle(sql) }));
			expect(await raceSends(naive, 100)).toBeGreaterThan(5);
		});

		it('counting the emails of the hour before writing allows more than the limit', async () => {
			const naive = twins((sql) => ({ throttle: naiveThrottle(sql) }));
			expect(await raceForBudget(naive, 60, 40)).toBeGreaterThan(32);
		});

		it('counting the emails of a network before writing allows more than its part', async () => {
			const naive = twins((sql) => ({ throttle: naiveThrottle(sql) }));
			expect(await raceInNetwork(naive, 40, 500)).toBeGreaterThan(10);
		});

		it('looking up a proof before recording its use accepts it more than once', async () => {
			const naive = twins((sql) => ({ spentProofs: naiveSpentProofs(sql) }));
			expect(await raceOneProof(naive, 20)).toBeGreaterThan(1);
		});

		it('A06: adding up in the program loses wrong guesses', async () => {
			const naive = twins((sql) => ({ throttle: naiveThrottle(sql) }));
			expect(await raceFailures(naive, 100)).toBeLessThan(100);
		});

		it('E10: reading whether it is due refreshes a session more than once', async () => {
			const naive = twins((sql) => ({ sessions: naiveSessions(sql) }));
			expect(await raceRefreshes(naive, 100)).toBeGreaterThan(1);
		});

		it('E12: reading which sessions to end misses a concurrently opened one', async () => {
			const naive = twins((sql) => ({ sessions: naiveSessions(sql) }));
			expect((await raceEndAllBesideSignIn(naive, 10)).left).toBeGreaterThan(0);
		});

		it('counting the sessions of an account before opening one leaves too many', async () => {
			const naive = twins((sql) => ({ signIns: crowdingSignIns(sql) }));
			expect((await raceForSessions(naive, 20, 5)).left).toBeGreaterThan(5);
		});

		it('K05: looking up a change before completing it completes it more than once', async () => {
			const naive = twins((sql) => ({ emailChanges: naiveEmailChanges(sql) }));
			expect((await raceCompletions(naive, 50)).moved).toBeGreaterThan(1);
		});

		it('K06: looking up which changes to replace leaves two', async () => {
			const naive = twins((sql) => ({ emailChanges: naiveEmailChanges(sql) }));
			const { notOne, astray } = await raceRequests(naive, 10);
			expect(notOne).toBeGreaterThan(0);
			expect(astray).toBeGreaterThan(0);
		});

		it('K07: checking whether an address is free fails when another account gets it concurrently', async () => {
			const naive = twins((sql) => ({ emailChanges: naiveEmailChanges(sql) }));
			expect((await raceForOneAddress(naive, 10)).failed).toBeGreaterThan(0);
		});

		it('K07: checking whether an address is free fails with a concurrent sign-up', async () => {
			const naive = twins((sql) => ({
				emailChanges: naiveEmailChanges(sql),
				signIns: naiveSignIns(sql)
			}));
			expect((await raceSignUpBesideMove(naive, 10)).failed).toBeGreaterThan(0);
		});

		it('reading which sessions to end leaves one at the old address', async () => {
			const naive = twins((sql) => ({ emailChanges: naiveEmailChanges(unhurried(sql)) }));
			expect((await raceMoveBesideSignIn(naive, 10)).left).toBeGreaterThan(0);
		});
	});
};

twinsOn('sqlite', sqliteBacking);
twinsOn('postgres', () => postgresBacking(inject('postgresUrl')));
