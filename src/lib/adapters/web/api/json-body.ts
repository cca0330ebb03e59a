import { err, ok, type Result } from '#lib/domain/result.ts';
import { edgeError } from '../errors/http-errors.ts';
import { readAtMost } from '../limits/bounded-body.ts';

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
