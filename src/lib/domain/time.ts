/** The instant `seconds` after (or, when negative, before) another one. */
export const secondsAfter = (instant: Date, seconds: number): Date =>
	new Date(instant.getTime() + seconds * 1000);

/** Whole seconds from `from` until `to`, rounded up and never below one: what `Retry-After` says. */
export const wholeSecondsUntil = (to: Date, from: Date): number =>
	Math.max(1, Math.ceil((to.getTime() - from.getTime()) / 1000));
