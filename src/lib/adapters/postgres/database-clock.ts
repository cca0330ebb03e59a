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
 * The server read its time at some moment between query and answer. The estimate moves only as
 * far as a sample requires. Fast samples make it precise, and slow samples change nothing that
 * they do not contradict. The clock goes back only when the server's clock did.
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

interface ClockSetbacks {
	see(now: Date): void;
	/** The later of this time and the one that the clock had reached before it was set back. */
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
