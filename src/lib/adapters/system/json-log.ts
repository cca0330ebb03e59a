import { pino, type DestinationStream } from 'pino';

export type LogFields = Readonly<Record<string, string | number | boolean | null>>;

/** One line of JSON per event, on standard output. */
export interface Log {
	/** Something that happened as it may: who signed in, what was refused. */
	event(name: string, fields?: LogFields): void;
	/** Something nobody expected, with where it happened. */
	fault(where: string, fault: unknown, fields?: LogFields): void;
}

/** How much waits for a disk with room or a reader that has stalled, in bytes; the rest is lost. */
const HELD_BACK = 1024 * 1024;

export const jsonLog = (): Log => {
	// Synchronous, so that the last lines before a crash are there.
	const output = pino.destination({
		dest: 1,
		sync: true,
		maxLength: HELD_BACK,
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
 * What is logged in one turn of the event loop goes out in one piece at its end. To write each line
 * by itself takes a server under load longer than to find out who asks.
 */
const byTurns = (output: DestinationStream): DestinationStream => {
	let lines = '';
	const flush = (): void => {
		const piece = lines;
		lines = '';
		if (piece !== '') output.write(piece);
	};
	process.on('exit', flush);
	return {
		write: (line) => {
			if (lines === '') setImmediate(flush);
			lines += line;
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
