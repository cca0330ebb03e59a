import type { Clock } from '#lib/domain/time.ts';

/** The server's time, with `performance.now()` before the query and after its answer. */
export interface TimeSample {
	readonly sentAt: number;
	readonly receivedAt: number;
	readonly serverTime: number;
}

export interface DatabaseClock extends Clock {
	learn(sample: TimeSample): void;
}

/**
 * The database's time, which all instances share even when their machines' clocks differ. Between
 * two samples it follows the monotonic clock of this process, so that setting a machine's clock
 * does not move it.
 *
 * The server read its time at some moment between query and answer. So a sample gives a least and a
 * most for `ahead`, which changes only if it is outside. Fast samples make it precise. The clock goes
 * back only when the server's clock did.
 */
export const databaseClock = (): DatabaseClock => {
	/** Milliseconds from `performance.now()` to the database's time. Starts with the machine's. */
	let ahead = performance.timeOrigin;
	let lastSentAt = -Infinity;
	return {
		learn: ({ sentAt, receivedAt, serverTime }) => {
			// Samples from two connections can arrive out of order.
			if (sentAt < lastSentAt) return;
			const isFirst = lastSentAt === -Infinity;
			const [least, most] = [serverTime - receivedAt, serverTime - sentAt];
			ahead = isFirst ? (least + most) / 2 : Math.min(Math.max(ahead, least), most);
			lastSentAt = sentAt;
		},
		now: () => new Date(Math.round(performance.now() + ahead))
	};
};
