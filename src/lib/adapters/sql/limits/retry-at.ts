import { defaultPolicy } from '#lib/domain/policy.ts';
import { secondsAfter } from '#lib/domain/time.ts';

/**
 * When the oldest counted send leaves the window. The row was read after the refusal, so it can
 * have more free places by then. A clock can also have been set back. So the result stays between
 * `now` and one window from now.
 */
export const retryAt = (sentAt: readonly (Date | null)[], now: Date, window: number): Date => {
	const latest = secondsAfter(now, window);
	const since = secondsAfter(now, -window);
	const counted = sentAt.filter((at) => at !== null && at > since && at <= latest) as Date[];
	if (counted.length < defaultPolicy.throttle.sends) return now;
	const oldest = new Date(Math.min(...counted.map((at) => at.getTime())));
	const freeAt = secondsAfter(oldest, window);
	return freeAt < latest ? freeAt : latest;
};
