import type { Background } from '#lib/domain/background.ts';

export interface DrainableBackground extends Background {
	/** Resolves once nothing is pending, including work added meanwhile. For shutdown. */
	drain(): Promise<void>;
}

/** Logs failed work. */
export type BackgroundLog = (name: string, error: unknown) => void;

/**
 * Long jobs pause for five times as long as each piece took. SQLite allows one writer at a time,
 * and a waiting process retries at growing intervals, so it must nearly always find the lock
 * free. With pauses as long as the pieces, a few in a thousand waited for more than 200 ms.
 */
const REST = 5;
/** In milliseconds. Another process would not notice a shorter pause. */
const SHORTEST_REST = 10;

/**
 * Runs work in this process. It starts in a later turn of the event loop, so that even its
 * synchronous part does not delay the response. It is lost when the process is killed.
 */
export const processBackground = (log: BackgroundLog): DrainableBackground => {
	const pending = new Set<Promise<void>>();
	return {
		run: (name, work) => {
			const running = new Promise<void>((resolve) => setImmediate(resolve))
				.then(work)
				.catch((error: unknown) => log(name, error))
				// A failing log must not end the process with an unhandled rejection.
				.catch(() => undefined)
				.finally(() => pending.delete(running));
			pending.add(running);
		},
		paced: async (piece) => {
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

let stopping = false;

/** Announces that the process is stopping and finishes its running requests. */
export const announceStop = (): void => {
	stopping = true;
};

export const isStopping = (): boolean => stopping;
