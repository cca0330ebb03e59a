/** One-byte chunks cost a hundred times as much as their bytes. Clients send chunks of kilobytes. */
const MAX_CHUNKS = 256;

/**
 * Reads a body of at most `limit` bytes and 256 chunks; returns null if there is more. A declared
 * length above the limit is refused before reading. A smaller declared length is not trusted: the
 * bytes are counted.
 */
export const readAtMost = async (
	{ headers, body }: Pick<Request, 'headers' | 'body'>,
	limit: number
): Promise<Uint8Array<ArrayBuffer> | null> => {
	if (declaresMoreThan(headers, limit)) return null;
	const chunks: Uint8Array[] = [];
	let total = 0;
	// Cancelling an oversized body would close the connection before the response is sent.
	for await (const chunk of body?.values({ preventCancel: true }) ?? []) {
		total += chunk.byteLength;
		if (total > limit || chunks.length === MAX_CHUNKS) return null;
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
};

export const declaresMoreThan = (headers: Headers, limit: number): boolean =>
	Number(headers.get('content-length') ?? 0) > limit;
