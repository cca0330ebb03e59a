import { httpErrors, type HttpErrorCode } from './http-errors.ts';

/** An error in the format of the framework's client for remote functions. */
export const remoteError = (error: HttpErrorCode): Response => {
	const { status, code, message } = httpErrors[error];
	return Response.json(
		{ type: 'error', error: { status, message, code } },
		{ status, headers: { 'cache-control': 'no-store' } }
	);
};
