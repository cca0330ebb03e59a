import type { AuthPolicy } from '../policy.ts';
import type { Clock } from '../clock.ts';
import type { SiteCounts } from './site-counts.ts';
import { guessLevel } from './demand.ts';

/** What an unknown client must do before a check. */
export interface Admission {
	/** The work to prove. Null when it needs none, and always when the site counts nothing. */
	readonly level: number | null;
	/** Call this when the check was no wrong guess, so that it does not count as one in progress. */
	release(): void;
}

/** Counts guesses of this process, and knows whether the site is under attack. */
export interface GuessWatch {
	/** A right code was used up. One that stays valid can be sent again, and is not counted. */
	used(): void;
	wrong(): void;
	/** A check was refused because it came without a proof. */
	refused(): void;
	/** Admits a check of an unknown client now. It may guess once, unless it must prove work first. */
	admit(): Promise<Admission>;
}

export interface GuessWatchDeps {
	readonly siteCounts: SiteCounts;
	readonly clock: Clock;
	readonly policy: AuthPolicy;
	/** Gets one line at the start of a period with many wrong guesses, and one at its end. */
	readonly log: (event: string, counts: Readonly<Record<string, number>>) => void;
}

/** Counts are written and read at most this often, in milliseconds. */
const PAUSE = 1000;

const nothing = (): void => undefined;
const demand = (level: number | null): Admission => ({ level, release: nothing });

/**
 * Guesses are counted in the process, and each check takes them to the store if the last time was a
 * second ago. So no row is written for each guess. All instances see the sum, at most a second late.
 * Within that second, a process lets through no more checks than the bound leaves, because a burst of
 * guesses would otherwise be free.
 */
export const makeGuessWatch = ({ siteCounts, clock, policy, log }: GuessWatchDeps): GuessWatch => {
	let counted = { used: 0, wrong: 0 };
	let synced: Date | null = null;
	/** The sync before the last one. */
	let before: Date | null = null;
	let syncing: Promise<void> | null = null;
	let level: number | null = null;
	/** Wrong guesses of the last minute, at the last sync. */
	let lastMinute = 0;
	/** Checks without a proof since the last sync, without those that were no wrong guesses. */
	let open = 0;
	/** Those of the second before which were not counted at the sync. They may still be in progress. */
	let unfinished = 0;
	let period = { since: clock.now(), wrong: 0, refused: 0 };

	const judge = (wrongPerMinute: number, now: Date): void => {
		const bound = policy.guessing.proofAbove;
		const wasOn = level !== null;
		const isOn = wrongPerMinute > (wasOn ? bound / 2 : bound);
		level = isOn ? guessLevel(wrongPerMinute, policy) : null;
		if (isOn && !wasOn) {
			period = { since: now, wrong: 0, refused: 0 };
			log('many_wrong_guesses_started', { wrongPerMinute });
		} else if (wasOn && !isOn) {
			const { since, wrong, refused } = period;
			const seconds = Math.round((now.getTime() - since.getTime()) / 1000);
			log('many_wrong_guesses_ended', { wrong, refused, seconds });
		}
	};

	/** Lets one check guess without a proof. Its release finds it before and after the next sync. */
	const free = (): Admission => {
		const second = synced;
		let isHeld = true;
		open += 1;
		return {
			level: null,
			release: () => {
				if (isHeld && second === synced) open = Math.max(0, open - 1);
				else if (isHeld && second === before) unfinished = Math.max(0, unfinished - 1);
				isHeld = false;
			}
		};
	};

	const sync = async (now: Date): Promise<void> => {
		const taken = counted;
		counted = { used: 0, wrong: 0 };
		unfinished = Math.max(0, open - Math.max(0, taken.wrong - unfinished));
		open = 0;
		before = synced;
		synced = now;
		try {
			lastMinute = await siteCounts.countGuesses(taken, now);
			judge(lastMinute, now);
		} catch (error) {
			// The store is down. The guesses count when it is back.
			counted = { used: counted.used + taken.used, wrong: counted.wrong + taken.wrong };
			throw error;
		} finally {
			syncing = null;
		}
	};

	return {
		used: () => void (counted.used += 1),
		wrong: () => {
			counted.wrong += 1;
			period.wrong += 1;
		},
		refused: () => void (period.refused += 1),
		admit: async () => {
			if (policy.budget.limit === 'off') return demand(null);
			const now = clock.now();
			// A clock that was set back must not stop the counting.
			const isDue = synced === null || Math.abs(now.getTime() - synced.getTime()) >= PAUSE;
			if (isDue) syncing ??= sync(now);
			await syncing;
			if (level !== null) return demand(level);
			const atMost = lastMinute + unfinished + open;
			return atMost > policy.guessing.proofAbove ? demand(guessLevel(atMost, policy)) : free();
		}
	};
};
