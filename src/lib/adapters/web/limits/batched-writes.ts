import type { Writable } from 'node:stream';

/** Uncorks a stream at the end of this turn of the event loop. */
export type UncorkLater = (stream: Pick<Writable, 'uncork'>) => void;

/**
 * Writes the responses that complete in one turn of the event loop together. Each write wakes the
 * process at the other end, and for a short response that takes longer than our own code. A
 * response waits at most for the requests that were read in the same turn.
 *
 * `atEndOfTurn` runs work after the events of this turn.
 */
export const batchedWrites = (
	atEndOfTurn: (work: () => void) => unknown = setImmediate
): UncorkLater => {
	let due: Pick<Writable, 'uncork'>[] = [];
	const flush = (): void => {
		const streams = due;
		due = [];
		for (const stream of streams) stream.uncork();
	};
	return (stream) => {
		if (due.push(stream) === 1) atEndOfTurn(flush);
	};
};
