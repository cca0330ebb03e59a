import { hourOf } from './budget.ts';
import { minuteOf } from './check-tickets.ts';
import type { Network } from './sender.ts';
import { dayOf, secondsAfter } from '../time.ts';
import type { UserId } from '../ids.ts';

/** What a count of the site counts, and when it began. */
export interface CountKey {
	readonly key: string;
	readonly since: Date;
}

export const emailsOf = (now: Date): CountKey => ({ key: 'emails', since: hourOf(now) });
export const ticketsUsed = (now: Date): CountKey => ({ key: 'tickets', since: hourOf(now) });
/** Checks by ticket have a count for each minute. */
export const checkTicketsUsed = (now: Date): CountKey => ({
	key: 'check tickets',
	since: minuteOf(now)
});
export const codesUsed = (now: Date): CountKey => ({ key: 'used codes', since: hourOf(now) });
export const emailsOfNetwork = (network: Network, now: Date): CountKey => ({
	key: `network ${network}`,
	since: hourOf(now)
});

/** Notices about devices of an account that cannot be recognised. */
export const noticesOf = (userId: UserId, now: Date): CountKey => ({
	key: `notices ${userId}`,
	since: dayOf(now)
});

const TEN_SECONDS = 10_000;

/** Wrong guesses have a count for each ten seconds. */
export const wrongGuesses = (now: Date): CountKey => ({
	key: 'wrong guesses',
	since: new Date(Math.floor(now.getTime() / TEN_SECONDS) * TEN_SECONDS)
});

/** The last minute, in whole ten seconds. */
export const lastMinute = (now: Date): readonly CountKey[] =>
	[0, 1, 2, 3, 4, 5, 6].map((step) => wrongGuesses(secondsAfter(now, -10 * step)));
