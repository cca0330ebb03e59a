import type { Storage, Stores } from '#lib/domain/index.ts';

/**
 * Presents stores in memory as a database. No other process can change it, and it always
 * responds.
 */
export const memoryStorage = (stores: Stores): Storage => ({
	...stores,
	clock: null,
	changes: (clock) => {
		const since = { at: clock.now(), tick: -Infinity };
		return { subscribe: () => {}, reliableSince: () => since };
	},
	ping: async () => {},
	close: async () => {}
});
