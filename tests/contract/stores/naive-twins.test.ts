import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import type { Sql } from '#lib/adapters/sql/sql.ts';
import { sqlStores } from '#lib/adapters/sql/stores.ts';
import type { Stores } from '#lib/domain/deps.ts';
import { postgresBacking, sqliteBacking, type SqlBacking } from '../../support/database/backing.ts';
import { present } from '../../support/http/fixtures.ts';
import {
	naiveAccounts,
	naiveEmailChanges,
	naiveOperators,
	naivePurchases,
	naiveTaskRuns,
	unheldPurchases
} from '../twins/accounts.ts';
import { naiveOutboxRows, naiveSpentProofs, naiveThrottle } from '../twins/limits.ts';
import {
	consumeAndRecreate,
	naiveChallenges,
	naiveDeviceSignIns,
	naiveSessions,
	naiveSignIns
} from '../twins/sign-ins.ts';
import { paced, unlocked } from '../twins/statements.ts';
import { signIn } from '../account/account-examples.ts';
import {
	raceClaims,
	raceConfirmations,
	raceConsents,
	raceDecisions,
	raceDeleteBesideSignIns,
	raceDeletions,
	racePurgeBesideRestore,
	raceRecordBesideCreation,
	raceTaskRuns
} from '../account/account-races.ts';
import { raceLeases } from '../delivery/outbox-examples.ts';
import {
	raceAccountsOnDevice,
	raceDevicesOfAccount,
	raceKnownSends,
	raceSignInsOnDevice
} from '../sessions/device-races.ts';
import {
	raceCompletions,
	raceEndAllBesideSignIn,
	raceEndBesideMove,
	raceForOneAddress,
	raceMoveBesideSignIn,
	raceRequests,
	raceSignUpBesideMove
} from '../email-change/email-change-races.ts';
import { raceForBudget, raceInNetwork, raceOneProof } from '../limits/budget-races.ts';
import { raceBlockBesideSignIns, raceRoleBesideMove } from '../operators/operator-races.ts';
import { ada, CAN_GO_WRONG, policy } from './examples.ts';
import {
	comparing,
	raceWrongCodes,
	raceFirstSignIns,
	raceForSessions,
	raceAttempts,
	raceIssueBesideGuess,
	raceRedemptions,
	raceRefreshes,
	raceSends,
	raceWrongBesideRight,
	type Instances
} from './races.ts';

// Q09: shows that the contract’s race cases can fail. The usual ways to write these stores break
// the contract in the same races. If a race were too gentle, it would show here.

let backing: SqlBacking;

/** The stores of each instance, some of them written naively. */
const instead = (twin: (sql: Sql) => Partial<Stores>): Instances =>
	backing.databases.map((sql) => ({ ...sqlStores(sql), ...twin(sql) }));
/** The stores themselves, whose transactions lock nothing. */
const withoutLocks = () => instead((sql) => sqlStores(unlocked(sql)));
const accounts = () => instead((sql) => ({ accounts: naiveAccounts(paced(sql)) }));
const challenges = () => instead((sql) => ({ challenges: naiveChallenges(sql) }));
const devices = () => instead((sql) => ({ signIns: naiveDeviceSignIns(sql) }));
const emailChanges = () => instead((sql) => ({ emailChanges: naiveEmailChanges(sql) }));
const slowEmailChanges = () => instead((sql) => ({ emailChanges: naiveEmailChanges(paced(sql)) }));
const operators = () => instead((sql) => ({ operators: naiveOperators(paced(sql)) }));
const sessions = () => instead((sql) => ({ sessions: naiveSessions(sql) }));
const signIns = () => instead((sql) => ({ signIns: naiveSignIns(sql) }));
const throttle = () => instead((sql) => ({ throttle: naiveThrottle(sql) }));
const recreating = () => {
	const sql = present(backing.databases[0]);
	return consumeAndRecreate(sql, sqlStores(sql).challenges, comparing);
};

/** What a naive store does, and how often it goes wrong, which the right one never does. */
const TWINS: Readonly<Record<string, () => Promise<number>>> = {
	'A01: counting by reading and writing back compares more than five guesses': async () =>
		(await raceAttempts(challenges(), 40)).filter((attempt) => attempt <= 5).length - 5,
	'A03: looking up a code before using it redeems it more than once': async () => {
		// With an existing account, so that no unique index helps by accident.
		await raceRedemptions(backing.instances, 1, ada);
		return (await raceRedemptions(signIns(), 20, ada)) - 1;
	},
	'A04: looking up an account before creating it fails first sign-ins that should have found it':
		async () => (await raceFirstSignIns(signIns(), 20)).failed,
	'A05: removing the code to compare it loses the right code to a concurrent wrong guess':
		async () => (await raceWrongBesideRight(recreating())(backing.instances, 10, 'lost')).lost,
	'A07: putting the code back after a wrong guess revives a superseded one': async () => {
		const race = await raceIssueBesideGuess(recreating())(backing.instances, 20);
		return Math.min(race.earlierWorked, race.newestFailed);
	},
	'R06: looking up a session before moving moves an account by the request of an ended session':
		async () => (await raceEndBesideMove(slowEmailChanges(), 20, 'both')).both,
	'B01: counting before writing allows more than five sends': async () =>
		(await raceSends(throttle(), 30)) - 5,
	'counting the emails of the hour before writing allows more than the limit': async () =>
		(await raceForBudget(throttle(), 60, 40)) - 32,
	'counting the emails of a network before writing allows more than its part': async () =>
		(await raceInNetwork(throttle(), 40, 500)) - 10,
	'looking up a proof before recording its use accepts it more than once': async () => {
		const naive = instead((sql) => ({ spentProofs: naiveSpentProofs(sql) }));
		return (await raceOneProof(naive, 20)) - 1;
	},
	'A06: adding up in the program loses wrong guesses': async () =>
		30 - (await raceWrongCodes(throttle(), 30)),
	'E10: reading whether it is due refreshes a session more than once': async () =>
		(await raceRefreshes(sessions(), 30)) - 1,
	'E12: reading which sessions to end misses a concurrently opened one': async () =>
		(await raceEndAllBesideSignIn(withoutLocks(), 20, 'left')).left,
	'counting the sessions of an account before opening one leaves too many': async () =>
		(await raceForSessions(withoutLocks(), 15, 5)).left - 5,
	'K05: looking up a change before completing it completes it more than once': async () =>
		(await raceCompletions(emailChanges(), 20)).moved - 1,
	'K06: looking up which changes to replace leaves two': async () =>
		(await raceRequests(withoutLocks(), 20, 'notOne')).notOne,
	'K07: checking whether an address is free fails when another account gets it concurrently':
		async () => (await raceForOneAddress(emailChanges(), 20, 'failed')).failed,
	'K07: checking whether an address is free fails with a concurrent sign-up': async () => {
		const naive = instead((sql) => ({
			emailChanges: naiveEmailChanges(sql),
			signIns: naiveSignIns(sql)
		}));
		return (await raceSignUpBesideMove(naive, 20, 'failed')).failed;
	},
	'reading which sessions to end leaves one at the old address': async () =>
		(await raceMoveBesideSignIn(slowEmailChanges(), 20, 'left')).left,

	'A03: looking up a challenge before using it confirms with it more than once': async () =>
		(await raceConfirmations(accounts(), 20)).confirmed - 1,
	'looking up an account before deleting it deletes it more than once': async () =>
		(await raceDeletions(accounts(), 20)).deleted - 1,
	'E15: ending the sessions before locking the account leaves one behind': async () =>
		(await raceDeleteBesideSignIns()(accounts(), 20, 'sessionsLeft')).sessionsLeft,
	'looking up an account before purging it purges a restored one': async () =>
		(await racePurgeBesideRestore(accounts(), 20, 'bothWon')).bothWon,
	'looking up a consent before writing it records it more than once': async () => {
		const { user } = await signIn(backing.stores);
		await backing.forgetData();
		return (await raceConsents(withoutLocks(), 20, user.id)).recorded - 1;
	},
	'looking up a consent before withdrawing it records the withdrawal more than once': async () => {
		const { user } = await signIn(backing.stores);
		return (await raceDecisions(withoutLocks(), 20, user.id)).astray;
	},
	'looking up a purchase before claiming it gives it to more than one account': async () => {
		const naive = instead((sql) => ({ purchases: naivePurchases(sql) }));
		return (await raceClaims(naive, 10)).claimed - 1;
	},
	'looking up an account before recording a purchase leaves purchases behind': async () => {
		const naive = instead((sql) => ({ purchases: naivePurchases(paced(sql)) }));
		return (await raceRecordBesideCreation(naive, 20, 'unlinked')).unlinked;
	},
	'looking up due emails before leasing them leases one more than once': async () => {
		const naive = instead((sql) => ({ outboxRows: naiveOutboxRows(paced(sql)) }));
		const { rows, leases } = await raceLeases(naive, backing.stores, 12);
		return leases - rows;
	},
	'looking up a claim before writing it runs a task more than once a day': async () => {
		const naive = instead((sql) => ({ taskRuns: naiveTaskRuns(sql) }));
		return (await raceTaskRuns(naive, 20)).claimed - 1;
	},

	'counting the devices of an account before adding one leaves more than 20': async () =>
		(await raceDevicesOfAccount(devices(), 24)).known - policy.devices.perAccount,
	'counting the accounts of a device before adding one leaves more than five': async () =>
		(await raceAccountsOnDevice(withoutLocks(), 12)).known - policy.devices.accounts,
	'B01: counting before writing allows more than five sends of known devices': async () =>
		(await raceKnownSends(throttle(), 30)) - 5,

	'ending the sessions before marking the account leaves one behind': async () =>
		(await raceBlockBesideSignIns(withoutLocks(), 20, 'sessionsLeft')).sessionsLeft,
	'looking up an account before giving it the role gives it to one that moved': async () =>
		(await raceRoleBesideMove(operators(), 20, 'astray')).astray
};

/** SQLite has one writer at a time, so that these twins have no race there. */
const ON_POSTGRES: typeof TWINS = {
	'recording in one transaction without a lock leaves purchases behind, too': async () => {
		const unheld = instead((sql) => ({ purchases: unheldPurchases(sql) }));
		return (await raceRecordBesideCreation(unheld, 20, 'unlinked')).unlinked;
	},
	'reading the rows of a device before moving them loses an account': async () => {
		const { newKeyFails, failed } = await raceSignInsOnDevice(withoutLocks(), 10, 'newKeyFails');
		return newKeyFails + failed;
	}
};

const twinsOn = (engine: string, open: () => Promise<SqlBacking>, twins: typeof TWINS): void => {
	describe(`Q09 naive twins on ${engine}`, CAN_GO_WRONG, () => {
		beforeAll(async () => {
			backing = await open();
		});
		beforeEach(() => backing.clear());
		afterAll(() => backing.close());

		it.each(Object.entries(twins))('%s', async (_, race) => {
			expect(await race()).toBeGreaterThan(0);
		});
	});
};

twinsOn('sqlite', sqliteBacking, TWINS);
twinsOn('postgres', () => postgresBacking(inject('postgresUrl')), { ...TWINS, ...ON_POSTGRES });
