import { err, ok, type Result } from '#lib/domain/errors.ts';
import { httpError } from './http-errors.ts';
import { readAtMost } from './bounded-body.ts';
import { isFormType, MAX_TYPE_LENGTH, readForm } from './form-body.ts';

/** Bodies are small records. A larger one is refused before it is read into memory. */
const MAX_BYTES = 64 * 1024;

/**
 * Parses the JSON of a request, or returns the response that refuses it. Accepts only
 * `application/json` in UTF-8.
 */
export const readJson = async (request: Request): Promise<Result<unknown, Response>> => {
	const refused = refuseContentType(request.headers.get('content-type'));
	if (refused) return err(refused);
	const text = await readText(request);
	if (!text.ok) return text;
	try {
		return ok(JSON.parse(text.value));
	} catch {
		return err(httpError('bad_request'));
	}
};

/** The body of a request as UTF-8, or the response that refuses it. */
export const readText = async (request: Request): Promise<Result<string, Response>> => {
	try {
		const bytes = await readAtMost(request, MAX_BYTES);
		if (bytes === null) return err(httpError('payload_too_large'));
		return ok(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
	} catch (error) {
		if (isAboveAdapterLimit(error)) return err(httpError('payload_too_large'));
		// Either not UTF-8 or a client that disconnected. Neither is a server fault.
		return err(httpError('bad_request'));
	}
};

/** `BODY_SIZE_LIMIT` of the framework's adapter can be set below our own limit. */
const isAboveAdapterLimit = (error: unknown): boolean =>
	error instanceof Error && 'status' in error && error.status === 413;

const refuseContentType = (header: string | null): Response | null => {
	if (header === null) return httpError('unsupported_media_type');
	const isJson =
		header.length <= MAX_TYPE_LENGTH &&
		/^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*$/i.test(header);
	if (isJson) return null;
	const shown = header.slice(0, 100).replace(/[^\x20-\x7e]/g, '');
	return httpError(
		'unsupported_media_type',
		`Content-Type "${shown}" is not allowed. Allowed types: application/json`
	);
};

/**
 * Reads the form of a request, or returns the response that refuses it. Only the one-click request
 * of RFC 8058 is a form; all other calls take JSON.
 */
export const readApiForm = async (request: Request): Promise<Result<unknown, Response>> => {
	const type = request.headers.get('content-type') ?? '';
	if (!isFormType(type)) {
		return err(
			httpError(
				'unsupported_media_type',
				'Allowed types: application/x-www-form-urlencoded, multipart/form-data'
			)
		);
	}
	const form = await readForm(request);
	if (form.kind === 'too_large') return err(httpError('payload_too_large'));
	if (form.kind === 'unreadable') return err(httpError('bad_request', 'Invalid form'));
	return ok(Object.fromEntries(form.fields));
};
