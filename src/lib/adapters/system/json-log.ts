import { pino, type DestinationStream } from 'pino';

export type LogFields = Readonly<Record<string, string | number | boolean | null>>;

/** One line of JSON per event, on standard output. */
export interface Log {
	/** Something that happened as it may: who signed in, what was refused. */
	event(name: string, fields?: LogFields): void;
	/** Something nobody expected, with where it happened. */
	fault(where: string, fault: unknown, fields?: LogFields): void;
}

/** What a pipe takes wholly or not at all, in bytes (POSIX's PIPE_BUF on Linux): no line is torn by another writer's. */
const WHOLE = 4096;
/** How much waits for a disk with room or a reader that has stalled, in bytes; the rest is lost. */
const HELD_BACK = 1024 * 1024;

export const jsonLog = (): Log => {
	// Synchronous, so that the last lines before a crash are there.
	const output = pino.destination({
		dest: 1,
		sync: true,
		maxLength: HELD_BACK,
		maxWrite: WHOLE,
		// It would stand still until somebody reads.
		retryEAGAIN: () => false
	});
	// Where nothing can be logged people are served all the same. What waits goes out with a later line.
	output.on('error', () => undefined);
	const log = pino({ base: null, timestamp: isoTime() }, byTurns(output));
	return {
		event: (name, fields = {}) => log.info({ event: name, ...fields }),
		fault: (where, fault, fields = {}) =>
			log.error({ event: 'fault', where, fault: described(fault), ...fields })
	};
};

/**
 * What is logged in one turn of the event loop goes out together at its end. To write each line by
 * itself takes a server under load longer than to find out who asks.
 */
const byTurns = (output: DestinationStream): DestinationStream => {
	let pieces: string[] = [];
	let room = 0;
	const flush = (): void => {
		const ready = pieces;
		pieces = [];
		for (const piece of ready) output.write(piece);
	};
	process.on('exit', flush);
	return {
		write: (line) => {
			if (pieces.length === 0) setImmediate(flush);
			const size = Buffer.byteLength(line);
			if (pieces.length > 0 && size <= room) {
				pieces[pieces.length - 1] += line;
				room -= size;
			} else {
				pieces.push(line);
				room = WHOLE - size;
			}
		}
	};
};

/** A time is spelled once for all lines of its millisecond. */
const isoTime = (): (() => string) => {
	let last = NaN;
	let spelled = '';
	return () => {
		const now = Date.now();
		if (now !== last) spelled = `,"time":"${new Date(now).toISOString()}"`;
		last = now;
		return spelled;
	};
};

/** The stack tells the place of a bug. */
const described = (fault: unknown): string =>
	fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
