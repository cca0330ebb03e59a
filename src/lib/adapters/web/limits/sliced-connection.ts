import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { UncorkLater } from './batched-writes.ts';
import type { FairTurns } from './fair-turns.ts';

/** The most bytes of one connection that the HTTP parser gets at once. */
export const SLICE = 4096;

/** Connections that may wait for the parser. Node has read up to 128 KiB of each: 8 MB in all. */
export const MAX_WAITING = 64;

/**
 * A connection that passes what it receives to the HTTP parser in slices. Node reads up to 64 KiB
 * at once and parses all of it before any other connection gets its turn. Filled with one-byte
 * chunks or with short requests, that takes 20 to 40 ms, and all clients can send it at the same
 * time. Here, the first slice is parsed at once. The other slices wait for a turn of the event
 * loop, and meanwhile the connection receives nothing more. While too many wait, it is closed.
 */
export class SlicedConnection extends Duplex {
	readonly #socket: Socket;
	readonly #turns: FairTurns;
	readonly #uncorkLater: UncorkLater;
	/** Received bytes that were not passed on yet. */
	#rest: Buffer | null = null;
	#hasEnded = false;
	#isHeld = false;

	constructor(socket: Socket, turns: FairTurns, uncorkLater: UncorkLater) {
		super({ readableHighWaterMark: SLICE });
		this.#socket = socket;
		this.#turns = turns;
		this.#uncorkLater = uncorkLater;
		// The HTTP server reads these two to decide whether to join its writes.
		Object.defineProperties(this, {
			writableCorked: { get: () => socket.writableCorked },
			writableLength: { get: () => socket.writableLength }
		});
		socket
			.on('data', (bytes) => this.#receive(bytes))
			.on('end', () => this.#end())
			.on('error', (error) => this.destroy(error))
			.on('close', () => this.destroy())
			.on('timeout', () => this.emit('timeout'))
			.on('drain', () => this.emit('drain'));
	}

	/**
	 * Parses nothing more until `release`. The methods `pause` and `resume` cannot do this: the HTTP
	 * server calls them for its own reasons.
	 */
	hold(): void {
		this.#isHeld = true;
		this.#socket.pause();
	}

	release(): void {
		if (!this.#isHeld) return;
		this.#isHeld = false;
		this._read();
	}

	#receive(bytes: Buffer): void {
		// Most requests fit into one slice. Passing it on directly saves the stream's own queue.
		if (bytes.length <= SLICE && this.readableFlowing && this.readableLength === 0) {
			this.emit('data', bytes);
			if (this.isPaused()) this.#socket.pause();
			return;
		}
		const isLong = bytes.length > SLICE;
		if (isLong && this.#turns.waiting >= MAX_WAITING) return void this.destroy();
		if (isLong) this.#rest = bytes.subarray(SLICE);
		const wantsMore = this.push(isLong ? bytes.subarray(0, SLICE) : bytes);
		if (!isLong && wantsMore) return;
		this.#socket.pause();
		if (isLong && wantsMore) this._read();
	}

	readonly #passOn = (): void => {
		const bytes = this.#rest;
		if (bytes === null || this.#isHeld || this.destroyed) return;
		this.#rest = bytes.length > SLICE ? bytes.subarray(SLICE) : null;
		if (this.push(bytes.subarray(0, SLICE))) this._read();
	};

	/** Bytes passed on directly do not complete the stream's last read, so it would start no other. */
	override resume(): this {
		super.resume();
		this._read();
		return this;
	}

	#end(): void {
		this.#hasEnded = true;
		this._read();
	}

	override _read(): void {
		if (this.#isHeld) return;
		if (this.#rest !== null) this.#turns.add(this.#passOn);
		else if (this.#hasEnded) this.push(null);
		else if (this.#socket.isPaused()) this.#socket.resume();
	}

	// The HTTP server writes to the socket directly. The default, a buffer in this stream, took a sixth
	// of the processor time of a request.
	override write(...given: unknown[]): boolean {
		return this.#socket.write(...(given as Parameters<Socket['write']>));
	}
	override cork(): void {
		this.#socket.cork();
	}
	override uncork(): void {
		this.#uncorkLater(this.#socket);
	}

	override _write(
		bytes: Buffer,
		encoding: BufferEncoding,
		done: (error?: Error | null) => void
	): void {
		this.#socket.write(bytes, encoding, done);
	}

	override _final(done: () => void): void {
		this.#socket.end(done);
	}

	override _destroy(error: Error | null, done: (error: Error | null) => void): void {
		this.#socket.destroy();
		done(error);
	}

	get remoteAddress(): string | undefined {
		return this.#socket.remoteAddress;
	}
	get bytesRead(): number {
		return this.#socket.bytesRead;
	}
	setTimeout(milliseconds: number, listener?: () => void): this {
		this.#socket.setTimeout(milliseconds);
		if (listener !== undefined) this.once('timeout', listener);
		return this;
	}
	/** Closes the connection after everything written was sent. */
	destroySoon(): void {
		this.end();
		if (this.writableFinished) this.destroy();
		else this.once('finish', () => this.destroy());
	}
}
