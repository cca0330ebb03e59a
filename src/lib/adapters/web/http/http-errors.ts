import { jsonResponse } from './responses.ts';

/** An error in the form of the API. Its text is part of the contract, so it is not translated. */
export interface WireError {
	readonly status: number;
	readonly code: string;
	readonly message: string;
}

/** The API contract uses one error for limits per client and per email address. */
export const TOO_MANY_REQUESTS = {
	status: 429,
	code: 'TOO_MANY_REQUESTS',
	message: 'Too many requests. Please try again later.'
} as const;

/** An email that a person may request again. */
export const EMAIL_NOT_SENT = {
	status: 503,
	code: 'EMAIL_NOT_SENT',
	message: 'The email could not be sent. Please try again.'
} as const;

/** Errors of the web adapter itself. Domain errors are in outcome.ts. */
export const httpErrors = {
	too_many_requests: TOO_MANY_REQUESTS,
	invalid_origin: { status: 403, code: 'INVALID_ORIGIN', message: 'Invalid origin' },
	missing_origin: {
		status: 403,
		code: 'MISSING_OR_NULL_ORIGIN',
		message: 'Missing or null Origin'
	},
	not_found: { status: 404, code: 'NOT_FOUND', message: 'Not found' },
	method_not_allowed: { status: 405, code: 'METHOD_NOT_ALLOWED', message: 'Method not allowed' },
	unsupported_media_type: {
		status: 415,
		code: 'UNSUPPORTED_MEDIA_TYPE',
		message: 'Content-Type is required. Allowed types: application/json'
	},
	payload_too_large: {
		status: 413,
		code: 'PAYLOAD_TOO_LARGE',
		message: 'Request body is too large'
	},
	bad_request: { status: 400, code: 'BAD_REQUEST', message: 'Invalid JSON in request body' },
	validation_error: {
		status: 400,
		code: 'VALIDATION_ERROR',
		message: '[body.email] Invalid input: expected string, received undefined'
	},
	invalid_client_key: {
		status: 400,
		code: 'INVALID_CLIENT_KEY',
		message: 'X-Postern-Client must be 22 to 86 characters of base64url'
	},
	invalid_proof: {
		status: 400,
		code: 'INVALID_PROOF',
		message: 'X-Postern-Proof is not an answer to a challenge'
	},
	invalid_callback_url: {
		status: 403,
		code: 'INVALID_CALLBACK_URL',
		message: 'Invalid callbackURL'
	},
	invalid_redirect_url: {
		status: 403,
		code: 'INVALID_REDIRECT_URL',
		message: 'Invalid redirectTo'
	},
	invalid_error_callback_url: {
		status: 403,
		code: 'INVALID_ERROR_CALLBACK_URL',
		message: 'Invalid errorCallbackURL'
	},
	invalid_new_user_callback_url: {
		status: 403,
		code: 'INVALID_NEW_USER_CALLBACK_URL',
		message: 'Invalid newUserCallbackURL'
	},
	unauthorized: { status: 401, code: 'UNAUTHORIZED', message: 'Unauthorized' },
	forbidden: { status: 403, code: 'FORBIDDEN', message: 'This account is not allowed' },
	forwarded_headers: {
		status: 403,
		code: 'INVALID_FORWARDED_HEADERS',
		message: 'X-Forwarded-Method and X-Forwarded-Uri must each be sent once, by a trusted proxy'
	},
	invalid_otp_type: { status: 400, code: 'INVALID_OTP_TYPE', message: 'Invalid OTP type' },
	email_can_not_be_updated: {
		status: 400,
		code: 'EMAIL_CAN_NOT_BE_UPDATED',
		message: 'Email can not be updated'
	},
	unknown_wording: { status: 400, code: 'UNKNOWN_WORDING', message: 'Unknown wording' },
	no_fields_to_update: { status: 400, code: 'NO_FIELDS_TO_UPDATE', message: 'No fields to update' },
	service_unavailable: { status: 503, code: 'SERVICE_UNAVAILABLE', message: 'Service unavailable' },
	internal_error: {
		status: 500,
		code: 'INTERNAL_ERROR',
		message: 'Something went wrong on our side'
	}
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

/** `specific` replaces the usual message with a more specific one. */
export const httpError = (error: HttpErrorCode, specific?: string): Response => {
	const { status, code, message } = httpErrors[error];
	return apiError(status, code, specific ?? message);
};

export const methodNotAllowed = (allowed: readonly string[]): Response => {
	const response = httpError('method_not_allowed');
	response.headers.set('allow', allowed.join(', '));
	return response;
};

export const tooManyRequests = (retryAfter: number): Response => {
	const { status, code, message } = TOO_MANY_REQUESTS;
	return apiError(status, code, message, retryAfter);
};

/** The number of seconds after which a retry is reasonable when the store does not respond. */
export const STORE_RETRY_AFTER = 2;

export const serviceUnavailable = (): Response => {
	const { status, code, message } = httpErrors.service_unavailable;
	return apiError(status, code, message, STORE_RETRY_AFTER);
};

/** An error in the format of the framework's client for remote functions. */
export const remoteError = (error: HttpErrorCode): Response => {
	const { status, code, message } = httpErrors[error];
	return Response.json(
		{ type: 'error', error: { status, message, code } },
		{ status, headers: { 'cache-control': 'no-store' } }
	);
};
