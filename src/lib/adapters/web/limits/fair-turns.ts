/** Runs work in the order of its arrival, for a few milliseconds in each turn of the event loop. */
export interface FairTurns {
	/** Adds work to the end of the queue. Work that is already in the queue keeps its place. */
	add(work: () => void): void;
	/** How much work is in the queue. */
	readonly waiting: number;
}

/** How many milliseconds of each turn of the event loop this work may take. */
export const BUDGET = 5;

/**
 * `elapsed` returns milliseconds of a monotonic clock. `inNextTurn` runs work in the next turn of
 * the event loop.
 */
export const fairTurns = (
	elapsed: () => number,
	inNextTurn: (work: () => void) => unknown = setImmediate
): FairTurns => {
	const queue = new Set<() => void>();
	let isPlanned = false;
	const plan = (): void => {
		if (isPlanned || queue.size === 0) return;
		isPlanned = true;
		inNextTurn(turn);
	};
	const turn = (): void => {
		const end = elapsed() + BUDGET;
		try {
			for (const work of queue) {
				queue.delete(work);
				work();
				if (elapsed() >= end) break;
			}
		} finally {
			// An error of one piece of work must not stop all connections.
			isPlanned = false;
			plan();
		}
	};
	return {
		add: (work) => {
			queue.add(work);
			plan();
		},
		get waiting() {
			return queue.size;
		}
	};
};
