import { jsonResponse } from './responses.ts';

/** An error in the form of the API. Its text is part of the contract, so it is not translated. */
export interface WireError {
	readonly status: number;
	readonly code: string;
	readonly message: string;
}

export const wireError = (status: number, code: string, message: string): WireError => ({
	status,
	code,
	message
});

/** The API contract uses one error for the limits of requests, sends, wrong codes and consents. */
export const TOO_MANY_REQUESTS = wireError(
	429,
	'TOO_MANY_REQUESTS',
	'Too many requests. Please try again later.'
);

/** Sending failed, the mail server is busy or refused the address, or the hour's emails are used up. */
export const EMAIL_NOT_SENT = wireError(
	503,
	'EMAIL_NOT_SENT',
	'The email could not be sent. Please try again.'
);

/** Errors of the web adapter itself. Domain errors are in outcome.ts. */
export const httpErrors = {
	too_many_requests: TOO_MANY_REQUESTS,
	invalid_origin: wireError(403, 'INVALID_ORIGIN', 'Invalid origin'),
	missing_origin: wireError(403, 'MISSING_OR_NULL_ORIGIN', 'Missing or null Origin'),
	not_found: wireError(404, 'NOT_FOUND', 'Not found'),
	method_not_allowed: wireError(405, 'METHOD_NOT_ALLOWED', 'Method not allowed'),
	unsupported_media_type: wireError(
		415,
		'UNSUPPORTED_MEDIA_TYPE',
		'Content-Type is required. Allowed types: application/json'
	),
	payload_too_large: wireError(413, 'PAYLOAD_TOO_LARGE', 'Request body is too large'),
	bad_request: wireError(400, 'BAD_REQUEST', 'Invalid JSON in request body'),
	validation_error: wireError(
		400,
		'VALIDATION_ERROR',
		'[body.email] Invalid input: expected string, received undefined'
	),
	invalid_client_key: wireError(
		400,
		'INVALID_CLIENT_KEY',
		'X-Postern-Client must be 22 to 86 characters of base64url'
	),
	invalid_proof: wireError(400, 'INVALID_PROOF', 'X-Postern-Proof is not an answer to a challenge'),
	invalid_callback_url: wireError(403, 'INVALID_CALLBACK_URL', 'Invalid callbackURL'),
	invalid_redirect_url: wireError(403, 'INVALID_REDIRECT_URL', 'Invalid redirectTo'),
	invalid_error_callback_url: wireError(
		403,
		'INVALID_ERROR_CALLBACK_URL',
		'Invalid errorCallbackURL'
	),
	invalid_new_user_callback_url: wireError(
		403,
		'INVALID_NEW_USER_CALLBACK_URL',
		'Invalid newUserCallbackURL'
	),
	unauthorized: wireError(401, 'UNAUTHORIZED', 'Unauthorized'),
	forbidden: wireError(403, 'FORBIDDEN', 'This account is not allowed'),
	forwarded_headers: wireError(
		403,
		'INVALID_FORWARDED_HEADERS',
		'X-Forwarded-Method and X-Forwarded-Uri must each be sent once, by a trusted proxy'
	),
	invalid_otp_type: wireError(400, 'INVALID_OTP_TYPE', 'Invalid OTP type'),
	email_can_not_be_updated: wireError(400, 'EMAIL_CAN_NOT_BE_UPDATED', 'Email can not be updated'),
	unknown_wording: wireError(400, 'UNKNOWN_WORDING', 'Unknown wording'),
	no_fields_to_update: wireError(400, 'NO_FIELDS_TO_UPDATE', 'No fields to update'),
	service_unavailable: wireError(503, 'SERVICE_UNAVAILABLE', 'Service unavailable'),
	internal_error: wireError(500, 'INTERNAL_ERROR', 'Something went wrong on our side')
} as const satisfies Record<string, WireError>;

export type HttpErrorCode = keyof typeof httpErrors;
export type HttpError = { [C in HttpErrorCode]: { readonly code: C } }[HttpErrorCode];

/** The two tables have no code in common. */
export const isOwnHttpError = (error: { readonly code: string }): error is HttpError =>
	Object.hasOwn(httpErrors, error.code);

/** An error response of the API. It always has `message` and `code`, and no internal details. */
export const apiError = (
	status: number,
	code: string,
	message: string,
	retryAfter: number | null = null,
	more: Readonly<Record<string, unknown>> = {}
): Response => {
	const wait =
		retryAfter === null
			? {}
			: { 'retry-after': String(retryAfter), 'x-retry-after': String(retryAfter) };
	const headers = { 'cache-control': 'no-store', ...wait };
	return jsonResponse({ message, code, ...more }, { status, headers });
};

export const httpError = (
	error: HttpErrorCode,
	specific?: string,
	retryAfter: number | null = null
): Response => {
	const { status, code, message } = httpErrors[error];
	return apiError(status, code, specific ?? message, retryAfter);
};

export const methodNotAllowed = (allowed: readonly string[]): Response => {
	const response = httpError('method_not_allowed');
	response.headers.set('allow', allowed.join(', '));
	return response;
};

/** After this time a retry is reasonable when the store does not respond. */
export const STORE_RETRY_AFTER_S = 2;

export const serviceUnavailable = (): Response =>
	httpError('service_unavailable', undefined, STORE_RETRY_AFTER_S);

/** An error in the format of the framework's client for remote functions. */
export const remoteError = (error: HttpErrorCode): Response => {
	const { status, code, message } = httpErrors[error];
	return Response.json(
		{ type: 'error', error: { status, message, code } },
		{ status, headers: { 'cache-control': 'no-store' } }
	);
};
