import { err, ok, type Result } from '#lib/domain/result.ts';
import { edgeError } from './api-error.ts';

/** Bodies are small records; a larger one is refused before it is held in memory. */
const MAX_BYTES = 64 * 1024;

/** The JSON of a request, or the answer that refuses it. Only `application/json` in UTF-8 is read. */
export const readJson = async (request: Request): Promise<Result<unknown, Response>> => {
	const refused = refuseContentType(request.headers.get('content-type'));
	if (refused) return err(refused);
	try {
		const bytes = await readAtMost(request, MAX_BYTES);
		if (bytes === null) return err(edgeError('payload_too_large'));
		return ok(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
	} catch {
		// No JSON, or cut off by a client that has gone, which is no fault of ours either.
		return err(edgeError('bad_request'));
	}
};

const refuseContentType = (header: string | null): Response | null => {
	if (header === null) return edgeError('unsupported_media_type');
	const json = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*$/i.test(header);
	if (json) return null;
	const shown = header.slice(0, 100).replace(/[^\x20-\x7e]/g, '');
	return edgeError(
		'unsupported_media_type',
		`Content-Type "${shown}" is not allowed. Allowed types: application/json`
	);
};

/** Null when there is more. The length that was declared is not believed, only counted bytes are. */
const readAtMost = async (request: Request, limit: number): Promise<Uint8Array | null> => {
	if (Number(request.headers.get('content-length') ?? 0) > limit) return null;
	const chunks: Uint8Array[] = [];
	let total = 0;
	// Not cancelled when it is too much: that would close the connection before it is answered.
	for await (const chunk of request.body?.values({ preventCancel: true }) ?? []) {
		total += chunk.byteLength;
		if (total > limit) return null;
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
