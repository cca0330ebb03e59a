import { setTimeout as pause } from 'node:timers/promises';
import type { Sql } from '#lib/adapters/sql/sql.ts';
import { sqlStores } from '#lib/adapters/sql/stores.ts';
import { defaultPolicy } from '#lib/domain/policy.ts';
import { challengeState, type Challenge, type Redemption } from '#lib/domain/sign-in/ports.ts';
import type { Stores } from '#lib/domain/stores.ts';
import { naiveChallenges } from '../twins/challenges.ts';
import { consumeAndRecreate } from '../twins/consume-and-recreate.ts';
import { naiveEmailChanges } from '../twins/email-changes.ts';
import { naiveSessions } from '../twins/sessions.ts';
import { naiveSignIns } from '../twins/sign-ins.ts';
import { naiveSpentProofs, naiveThrottle } from '../twins/throttle.ts';

/** The moves of a racer: every operation of the stores, and one made of several. */
export interface Contest extends Stores {
	readonly guesses: {
		/** One guess from counting to consuming; true when it was right and in time. */
		enter(of: Challenge, redemption: Redemption, right: boolean, now: Date): Promise<boolean>;
	};
}

/** The ports that have a naive twin. */
export type Twin =
	'challenges' | 'emailChanges' | 'guesses' | 'sessions' | 'signIns' | 'spentProofs' | 'throttle';

/** How long comparing a slow hash takes, and the turn that it yields. */
const comparing = (): Promise<void> => pause(4);

/** The stores of the product. */
export const soundContest = (sql: Sql): Contest => {
	const stores = sqlStores(sql);
	return {
		...stores,
		guesses: {
			enter: async (of, redemption, right, now) => {
				const { challenges, signIns } = stores;
				const counted = await challenges.countAttempt(of, now, defaultPolicy);
				if (counted === null || challengeState(counted, now, defaultPolicy) !== 'open')
					return false;
				await comparing();
				if (!right || counted.id !== of.id) return false;
				return (await signIns.redeem(redemption)) !== null;
			}
		}
	};
};

/**
 * The twins, one operation at a time in each process, like a lock in the program. Within a process
 * nothing races, so any failure comes from two processes.
 */
export const naiveTwins = (sql: Sql): Pick<Contest, Twin> => {
	const recreating = consumeAndRecreate(sql, sqlStores(sql).challenges, comparing);
	const locked = oneAtATime();
	return {
		challenges: locked(naiveChallenges(sql)),
		emailChanges: locked(naiveEmailChanges(sql)),
		guesses: locked({ enter: (of, _redemption, right) => recreating(null, of, right) }),
		sessions: locked(naiveSessions(sql)),
		signIns: locked(naiveSignIns(sql)),
		spentProofs: locked(naiveSpentProofs(sql)),
		throttle: locked(naiveThrottle(sql))
	};
};

type Operation = (...args: unknown[]) => Promise<unknown>;

const oneAtATime = (): (<Port extends object>(port: Port) => Port) => {
	let last: Promise<unknown> = Promise.resolve();
	const locked =
		(operation: Operation): Operation =>
		(...args) => {
			const turn = last.then(() => operation(...args));
			last = turn.catch(() => undefined);
			return turn;
		};
	return <Port extends object>(port: Port) =>
		Object.fromEntries(
			Object.entries(port).map(([name, operation]) => [name, locked(operation as Operation)])
		) as Port;
};
