/** The only source of time in the domain. */
export interface Clock {
	now(): Date;
}

/** Calls `then` once, after this delay. Returns what cancels it. */
export type After = (milliseconds: number, then: () => void) => () => void;

export const secondsAfter = (instant: Date, seconds: number): Date =>
	new Date(instant.getTime() + seconds * 1000);

/** In seconds. */
export const [MINUTE, HOUR, DAY] = [60, 3600, 24 * 3600];

/** The beginning of the period of so many seconds that an instant is in, such as a day of UTC. */
export const periodOf = (instant: Date, seconds: number): Date =>
	new Date(Math.floor(instant.getTime() / (seconds * 1000)) * seconds * 1000);

export const hourOf = (instant: Date): Date => periodOf(instant, HOUR);

/** Whole seconds from `from` until `now`, rounded down. Zero when a clock was set back between. */
export const wholeSecondsSince = (from: Date, now: Date): number =>
	Math.max(0, Math.floor((now.getTime() - from.getTime()) / 1000));

/** Whole seconds from `from` until `to`, rounded up. Zero when `to` has passed. */
export const wholeSecondsLeft = (to: Date, from: Date): number =>
	Math.max(0, Math.ceil((to.getTime() - from.getTime()) / 1000));

/** Whole seconds from `from` until `to`, rounded up and at least one, as `Retry-After` needs. */
export const retryAfterSeconds = (to: Date, from: Date): number =>
	Math.max(1, wholeSecondsLeft(to, from));
