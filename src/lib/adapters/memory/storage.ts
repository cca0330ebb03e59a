import type { Storage, Stores } from '#lib/domain/index.ts';

/** Stores in memory as a database, which no other process can change and which is always there. */
export const memoryStorage = (stores: Stores): Storage => ({
	...stores,
	clock: null,
	changes: (clock) => {
		const since = { at: clock.now(), tick: -Infinity };
		return { subscribe: () => {}, unbrokenSince: () => since };
	},
	ping: async () => {},
	close: async () => {}
});
