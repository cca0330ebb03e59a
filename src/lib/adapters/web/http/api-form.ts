import { err, ok, type Result } from '#lib/domain/errors.ts';
import { httpError } from './http-errors.ts';
import { isFormType, readForm } from './form-body.ts';

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
