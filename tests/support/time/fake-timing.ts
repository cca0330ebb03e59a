import type { Timing } from '#lib/adapters/mail/fair-queue.ts';

export interface FakeTiming extends Timing {
	/** Moves time, and runs everything that is due, in order. */
	advance(milliseconds: number): Promise<void>;
	/** Timers that are set and not cancelled. */
	readonly timers: number;
}

/** Time that moves only when a test moves it. */
export const fakeTiming = (): FakeTiming => {
	const timers = new Set<{ readonly at: number; readonly then: () => void }>();
	let now = 0;
	// Enough turns for any chain of promises after a timer.
	const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
	return {
		now: () => now,
		after: (milliseconds, then) => {
			const timer = { at: now + milliseconds, then };
			timers.add(timer);
			return () => timers.delete(timer);
		},
		advance: async (milliseconds) => {
			const until = now + milliseconds;
			await settle();
			for (;;) {
				const [next] = [...timers].sort((one, other) => one.at - other.at);
				if (next === undefined || next.at > until) break;
				timers.delete(next);
				now = next.at;
				next.then();
				await settle();
			}
			now = until;
		},
		get timers() {
			return timers.size;
		}
	};
};
