type Bytes = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();

/**
 * An answer in JSON, whose text is there as a whole. The framework's server reads each body as a
 * stream, and to make a stream of a short text takes as long as all else that is done for a request.
 * So `body` is as much of a stream as that server uses; whoever does more with it gets a real one.
 */
export const jsonResponse = (
	value: unknown,
	init: { readonly status?: number; readonly headers?: HeadersInit } = {}
): Response => {
	const response = new WholeResponse(encoder.encode(JSON.stringify(value)), init);
	response.headers.set('content-type', 'application/json');
	return response;
};

class WholeResponse extends Response {
	readonly #bytes: Bytes;
	readonly #piece: OnePiece;

	constructor(bytes: Bytes, init: ResponseInit) {
		super(null, init);
		this.#bytes = bytes;
		this.#piece = new OnePiece(bytes);
	}
	override get body(): ReadableStream<Bytes> {
		return this.#piece as unknown as ReadableStream<Bytes>;
	}
	override get bodyUsed(): boolean {
		return this.#piece.locked;
	}
	override clone(): Response {
		const { status, statusText, headers } = this;
		return new WholeResponse(this.#bytes, { status, statusText, headers });
	}
	override arrayBuffer(): Promise<ArrayBuffer> {
		return this.#read().arrayBuffer();
	}
	override blob(): Promise<Blob> {
		return this.#read().blob();
	}
	override bytes(): Promise<Bytes> {
		return this.#read().bytes();
	}
	override json(): Promise<unknown> {
		return this.#read().json();
	}
	override text(): Promise<string> {
		return this.#read().text();
	}

	#read(): Response {
		const { headers } = this;
		return new Response(this.#piece.stream(), { headers });
	}
}

/** A body of one piece. */
class OnePiece {
	readonly #bytes: Bytes;
	locked = false;

	constructor(bytes: Bytes) {
		this.#bytes = bytes;
	}
	/** The one reader there may be, as it is with streams. */
	getReader(): Pick<ReadableStreamDefaultReader<Bytes>, 'read' | 'cancel'> {
		this.#lock();
		let rest: Bytes | null = this.#bytes;
		return {
			read: () => {
				const value = rest;
				rest = null;
				return Promise.resolve(
					value === null ? { done: true, value: undefined } : { done: false, value }
				);
			},
			cancel: () => Promise.resolve()
		};
	}
	/** The same as a stream that can do everything. */
	stream(): ReadableStream<Bytes> {
		this.#lock();
		return new Blob([this.#bytes]).stream();
	}
	cancel(): Promise<void> {
		return this.stream().cancel();
	}
	pipeThrough<T>(...given: Parameters<ReadableStream<Bytes>['pipeThrough']>): ReadableStream<T> {
		return this.stream().pipeThrough(...given) as ReadableStream<T>;
	}
	pipeTo(...given: Parameters<ReadableStream<Bytes>['pipeTo']>): Promise<void> {
		return this.stream().pipeTo(...given);
	}
	tee(): ReturnType<ReadableStream<Bytes>['tee']> {
		return this.stream().tee();
	}
	[Symbol.asyncIterator](): AsyncIterator<Bytes> {
		return this.stream()[Symbol.asyncIterator]();
	}

	#lock(): void {
		if (this.locked) throw new TypeError('Body is unusable: it has been read already');
		this.locked = true;
	}
}
