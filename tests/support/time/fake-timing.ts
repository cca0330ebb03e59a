/** Time that moves only when a test moves it. */
export const fakeTiming = () => {
	const timers = new Set<{ readonly at: number; readonly then: () => void }>();
	let now = 0;
	// Enough turns for any chain of promises after a timer.
	const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
	return {
		now: () => now,
		after: (milliseconds: number, then: () => void) => {
			const timer = { at: now + milliseconds, then };
			timers.add(timer);
			return () => timers.delete(timer);
		},
		/** Moves time, and runs everything that is due, in order. */
		advance: async (milliseconds: number) => {
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
		/** Timers that are set and not cancelled. */
		get timers() {
			return timers.size;
		}
	};
};

export type FakeTiming = ReturnType<typeof fakeTiming>;
