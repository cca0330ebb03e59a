import { secondsAfter } from '#lib/domain/time.ts';

/**
 * When the oldest of the counted sends leaves the window. What was read after the refusal may be
 * freer than what was refused, and a clock may have been set back: the answer stays between `now`
 * and a window from now.
 */
export const retryAt = (sentAt: readonly (Date | null)[], now: Date, window: number): Date => {
	const latest = secondsAfter(now, window);
	const since = secondsAfter(now, -window);
	const counted = sentAt.filter((at) => at !== null && at > since && at <= latest) as Date[];
	if (counted.length < 5) return now;
	const oldest = new Date(Math.min(...counted.map((at) => at.getTime())));
	const leaves = secondsAfter(oldest, window);
	return leaves < latest ? leaves : latest;
};
