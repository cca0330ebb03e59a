import type { AuthPolicy } from '../policy.ts';
import type { Clock } from '../clock.ts';
import type { SiteCounts } from './site-counts.ts';
import { guessLevel } from './demand.ts';

/** Counts guesses of this process, and knows whether the site is under attack. */
export interface GuessWatch {
	right(): void;
	wrong(): void;
	/** A check was refused because it came without a proof. */
	refused(): void;
	/**
	 * The work that an unknown client must prove for a check now. Null when it needs none, and always
	 * when the site counts nothing.
	 */
	level(): Promise<number | null>;
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

/**
 * Guesses are counted in the process, and each check takes them to the store if the last time was a
 * second ago. So no row is written for each guess. All instances see the sum, at most a second late.
 * Within that second, a process lets through no more checks than the bound leaves, because a burst of
 * guesses would otherwise be free.
 */
export const makeGuessWatch = ({ siteCounts, clock, policy, log }: GuessWatchDeps): GuessWatch => {
	let counted = { right: 0, wrong: 0 };
	let synced: Date | null = null;
	let syncing: Promise<void> | null = null;
	let level: number | null = null;
	/** Wrong guesses of the last minute, at the last sync. */
	let lastMinute = 0;
	/** Checks without a proof since the last sync, without those that were right. */
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

	const sync = async (now: Date): Promise<void> => {
		const taken = counted;
		counted = { right: 0, wrong: 0 };
		unfinished = Math.max(0, open - Math.max(0, taken.wrong - unfinished));
		open = 0;
		synced = now;
		try {
			lastMinute = await siteCounts.countGuesses(taken, now);
			judge(lastMinute, now);
		} catch (error) {
			// The store is down. The guesses count when it is back.
			counted = { right: counted.right + taken.right, wrong: counted.wrong + taken.wrong };
			throw error;
		} finally {
			syncing = null;
		}
	};

	return {
		right: () => {
			counted.right += 1;
			open = Math.max(0, open - 1);
		},
		wrong: () => {
			counted.wrong += 1;
			period.wrong += 1;
		},
		refused: () => void (period.refused += 1),
		level: async () => {
			if (policy.budget.limit === 'off') return null;
			const now = clock.now();
			// A clock that was set back must not stop the counting.
			const isDue = synced === null || Math.abs(now.getTime() - synced.getTime()) >= PAUSE;
			if (isDue) syncing ??= sync(now);
			await syncing;
			if (level !== null) return level;
			const atMost = lastMinute + unfinished + open;
			if (atMost > policy.guessing.proofAbove) return guessLevel(atMost, policy);
			open += 1;
			return null;
		}
	};
};
