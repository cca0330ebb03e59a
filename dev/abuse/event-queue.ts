/** Work at seconds of a simulated time that nothing real waits for. */
export interface EventQueue {
	/** Work at or after the end is dropped. Earlier calls come first within a second. */
	plan(second: number, run: (second: number) => Promise<void>): void;
	/** Runs all of it, one after the other. */
	run(): Promise<void>;
}

interface Event {
	readonly second: number;
	readonly run: (second: number) => Promise<void>;
}

export const eventQueue = (end: number): EventQueue => {
	const events: Event[] = [];
	return {
		plan: (second, run) => {
			if (second >= end) return;
			const place = events.findLastIndex((event) => event.second <= second);
			events.splice(place + 1, 0, { second, run });
		},
		run: async () => {
			for (let event = events.shift(); event !== undefined; event = events.shift()) {
				await event.run(event.second);
			}
		}
	};
};
