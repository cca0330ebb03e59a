import type { Background } from '#lib/domain/index.ts';

export interface DrainableBackground extends Background {
	/** Resolves once nothing is pending, work that was added meanwhile included: for shutdown. */
	drain(): Promise<void>;
}

/** Takes the news of a failed work. */
export type BackgroundLog = (name: string, error: unknown) => void;

/**
 * Of the time of a long work five sixths belong to others. On SQLite one writer at a time is all there
 * is, and another process asks for its turn at growing intervals: it must nearly always find the door
 * open. With half the time free a few in a thousand waited for more than 200 ms.
 */
const REST = 5;
/** In milliseconds; shorter ones are none to another process. */
const SHORTEST_REST = 10;

/**
 * Work in this process. It starts in a later turn of the event loop, so that not even its
 * synchronous part delays the answer, and it is lost when the process is killed.
 */
export const processBackground = (log: BackgroundLog): DrainableBackground => {
	const pending = new Set<Promise<void>>();
	return {
		run: (name, work) => {
			const running = new Promise<void>((resolve) => setImmediate(resolve))
				.then(work)
				.catch((error: unknown) => log(name, error))
				// A log that fails must not take the process down with an unhandled rejection.
				.catch(() => undefined)
				.finally(() => pending.delete(running));
			pending.add(running);
		},
		unhurried: async (piece) => {
			const began = performance.now();
			const given = await piece();
			const rest = Math.max(SHORTEST_REST, REST * (performance.now() - began));
			await new Promise((resolve) => setTimeout(resolve, rest));
			return given;
		},
		drain: async () => {
			while (pending.size > 0) await Promise.all(pending);
		}
	};
};
