/** A body of one-byte chunks costs a hundred times what its bytes do. Clients send pieces of kilobytes. */
export const MAX_CHUNKS = 256;

/**
 * Reads a body of at most `limit` bytes, in at most 256 chunks; null when there is more. A declared
 * length over the limit is refused before anything is read; a smaller one is not believed, only
 * counted bytes are.
 */
export const readAtMost = async (
	request: Request,
	limit: number
): Promise<Uint8Array<ArrayBuffer> | null> => {
	if (declaresMoreThan(request.headers, limit)) return null;
	const chunks: Uint8Array[] = [];
	let total = 0;
	// Not cancelled when it is too much: that would close the connection before it is answered.
	for await (const chunk of request.body?.values({ preventCancel: true }) ?? []) {
		total += chunk.byteLength;
		if (total > limit || chunks.length === MAX_CHUNKS) return null;
		chunks.push(chunk);
	}
	const bytes = new Uint8Array(total);
	let offset = 0;
	for (const chunk of chunks) {
		bytes.set(chunk, offset);
		offset += chunk.byteLength;
	}
	return bytes;
};

export const declaresMoreThan = (headers: Headers, limit: number): boolean =>
	Number(headers.get('content-length') ?? 0) > limit;
