import { Console } from 'node:console';
import { LRUCache } from 'lru-cache';
import { pino, stdTimeFunctions, type DestinationStream } from 'pino';
import { StoreUnavailable } from '#lib/domain/errors.ts';
import type { Log, LogFields } from '#lib/domain/ports.ts';

export type Output = NodeJS.WriteStream & { readonly fd: 1 | 2 };

/** What a pipe writes atomically (PIPE_BUF on Linux), so that lines of two writers do not mix. */
const ATOMIC_WRITE_BYTES = 4096;
/** How many bytes are kept while the disk is full or the reader has stalled. More are dropped. */
const MAX_BUFFERED_BYTES = 1024 * 1024;

/**
 * JSON, or short lines for a person at a terminal. `omitsRequests` leaves out the lines of requests
 * there, for a server that prints its own, as `npm run dev` does.
 */
export const processLog = (output: Output, omitsRequests = false): Log =>
	output.isTTY ? terminalLog(output, omitsRequests) : jsonLog(output);

const jsonLog = ({ fd }: Output): Log => {
	// Synchronous, so that the last lines before a crash are written.
	const output = pino.destination({
		dest: fd,
		sync: true,
		maxLength: MAX_BUFFERED_BYTES,
		maxWrite: ATOMIC_WRITE_BYTES,
		// A retry would block until the reader continues.
		retryEAGAIN: () => false
	});
	// A failed log write never fails a request. Kept lines are written with a later line.
	output.on('error', () => undefined);
	const log = pino({ base: null, timestamp: stdTimeFunctions.isoTime }, oncePerTurn(output));
	return {
		event: (name, fields = {}) => log.info({ event: name, ...fields }),
		fault: (where, fault, fields = {}) =>
			log.error({ event: 'fault', where, fault: described(fault), ...fields })
	};
};

/** One line for each request, with its events. Ids and clients would only fill the line. */
const terminalLog = (output: Output, omitsRequests: boolean): Log => {
	const screen = new Console(output);
	const print = (words: readonly LogFields[string][]): void =>
		screen.log(new Date().toLocaleTimeString('en-GB'), ...words.filter((word) => word !== null));
	/** By request id. Bounded, because an event that follows the line of its request stays here. */
	const eventsOf = new LRUCache<string, readonly LogFields[string][]>({ max: 1_000 });
	return {
		event: (name, { requestId, client: _client, via: _via, ...fields } = {}) => {
			if (omitsRequests && name === 'request') return;
			const id = String(requestId);
			const events = eventsOf.get(id) ?? [];
			const words = [...events, name, ...Object.values(fields)];
			if (requestId === undefined || omitsRequests) return print(words);
			if (name !== 'request') return void eventsOf.set(id, words);
			const { method = '', route, status, milliseconds } = fields;
			print([method, route ?? '-', status ?? '-', `${milliseconds} ms`, ...events]);
			eventsOf.delete(id);
		},
		fault: (where, fault) => print(['fault in', where, described(fault)])
	};
};

/**
 * Writes all log lines of one turn of the event loop together at its end. Under load, writing
 * each line by itself takes longer than authenticating a request.
 */
const oncePerTurn = (output: DestinationStream): DestinationStream => {
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
				room = ATOMIC_WRITE_BYTES - size;
			}
		}
	};
};

/** The stack shows where a bug is. The message of a store fault with a code says everything. */
const described = (fault: unknown): string => {
	if (fault instanceof StoreUnavailable) return fault.message + fault.frames;
	return fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
};
