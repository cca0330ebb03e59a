/**
 * How the seconds from the request of a code until its entry are grouped: each group holds the times
 * above the limit before it, up to its own. A code lives for ten minutes, and the last group also
 * holds anything longer.
 */
export const ENTRY_LIMITS = [5, 7, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 360, 600] as const;

export type EntryLimit = (typeof ENTRY_LIMITS)[number];

const LONGEST = 600;

/** The group of a time. A clock that was set back can make it negative. */
export const limitOf = (seconds: number): EntryLimit =>
	ENTRY_LIMITS.find((limit) => seconds <= limit) ?? LONGEST;

/** How many codes were entered within the times of each group, in the order of the limits. */
export type EntryTimes = readonly number[];

/**
 * The time within which this part of the codes was entered, in seconds. Null without any. The times
 * of a group count as evenly spread over it, so the result lies in the group of the true value: it is
 * off by less than the width of that group.
 */
export const percentile = (times: EntryTimes, part: number): number | null => {
	const total = times.reduce((sum, count) => sum + count, 0);
	if (total === 0) return null;
	const rank = part * total;
	let before = 0;
	let lower = 0;
	for (const [index, upper] of ENTRY_LIMITS.entries()) {
		const count = times[index] ?? 0;
		if (count > 0 && before + count >= rank) {
			return lower + ((rank - before) / count) * (upper - lower);
		}
		before += count;
		lower = upper;
	}
	return LONGEST;
};
