export interface ClockSetbacks {
	/** Records the time that the clock shows. */
	see(now: Date): void;
	/**
	 * This time, or the time that the clock had reached before it was set back, whichever is later.
	 */
	notBefore(at: Date): Date;
}

/**
 * Detects that a clock was set back by more than `tolerance` milliseconds. Reads that another
 * instance made while the clock was ahead carry times that are too late.
 */
export const clockSetbacks = (tolerance: number): ClockSetbacks => {
	let latest = -Infinity;
	let reached = -Infinity;
	return {
		see: (now) => {
			if (now.getTime() < latest - tolerance) reached = latest + tolerance;
			latest = Math.max(latest, now.getTime());
		},
		notBefore: (at) => new Date(Math.max(at.getTime(), reached))
	};
};
