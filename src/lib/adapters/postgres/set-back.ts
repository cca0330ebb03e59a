export interface SetBack {
	/** Takes note of what the clock shows. */
	see(now: Date): void;
	/** This time, or the time that the clock had reached before it was set back, whichever is later. */
	notBefore(at: Date): Date;
}

/**
 * Notices that a clock was set back by more than `tolerance` milliseconds. What another instance read
 * while the clock was ahead then seems to be read later than it was.
 */
export const setBack = (tolerance: number): SetBack => {
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
