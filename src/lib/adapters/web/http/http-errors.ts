import { jsonResponse } from './responses.ts';

/** An error in the form of the API. Its text is part of the contract, so it is not translated. */
export interface WireError {
	readonly status: number;
	readonly code: string;
	readonly message: string;
}

type Table = Readonly<Record<string, readonly [status: number, message: string]>>;

/** Status and message of the errors of the web adapter itself. */
const own = {
	too_many_requests: [429, 'Too many requests. Please try again later.'],
	invalid_origin: [403, 'Invalid origin'],
	missing_or_null_origin: [403, 'Missing or null Origin'],
	not_found: [404, 'Not found'],
	method_not_allowed: [405, 'Method not allowed'],
	unsupported_media_type: [415, 'Content-Type is required. Allowed types: application/json'],
	payload_too_large: [413, 'Request body is too large'],
	bad_request: [400, 'Invalid JSON in request body'],
	validation_error: [400, '[body.email] Invalid input: expected string, received undefined'],
	invalid_client_key: [400, 'X-Postern-Client must be 22 to 86 characters of base64url'],
	invalid_proof: [400, 'X-Postern-Proof is not an answer to a challenge'],
	invalid_callback_url: [403, 'Invalid callbackURL'],
	invalid_redirect_url: [403, 'Invalid redirectTo'],
	invalid_error_callback_url: [403, 'Invalid errorCallbackURL'],
	invalid_new_user_callback_url: [403, 'Invalid newUserCallbackURL'],
	unauthorized: [401, 'Unauthorized'],
	forbidden: [403, 'This account is not allowed'],
	invalid_forwarded_headers: [
		403,
		'X-Forwarded-Method and X-Forwarded-Uri must each be sent once, by a trusted proxy'
	],
	invalid_otp_type: [400, 'Invalid OTP type'],
	email_can_not_be_updated: [400, 'Email can not be updated'],
	unknown_wording: [400, 'Unknown wording'],
	no_fields_to_update: [400, 'No fields to update'],
	service_unavailable: [503, 'Service unavailable'],
	internal_error: [500, 'Something went wrong on our side']
} as const satisfies Table;

/** Those that only domain errors lead to (outcome.ts). */
const ofDomain = {
	invalid_email: [400, 'Invalid email'],
	challenge_required: [403, 'Challenge required'],
	invalid_otp: [400, 'Invalid OTP'],
	otp_expired: [400, 'OTP expired'],
	email_not_sent: [503, 'The email could not be sent. Please try again.'],
	too_many_attempts: [403, 'Too many attempts'],
	email_is_the_same: [400, 'Email is the same'],
	email_already_in_use: [400, 'Email already in use'],
	invalid_token: [400, 'Invalid token'],
	session_not_fresh: [403, 'Session is not fresh'],
	verification_email_not_enabled: [400, "Verification email isn't enabled"],
	account_deleted: [403, 'Account is scheduled for deletion'],
	account_blocked: [403, 'Account is blocked'],
	address_reserved: [
		403,
		'An account was changed from this email address. Open undoPath to change it back.'
	]
} as const satisfies Table;

export type HttpErrorCode = keyof typeof own;
type Name = HttpErrorCode | keyof typeof ofDomain;
export type WireCode = Uppercase<Name>;

/** The code of the API is the name in capitals. */
export const httpErrors = Object.fromEntries(
	Object.entries({ ...own, ...ofDomain }).map(([name, [status, message]]) => [
		name,
		{ status, code: name.toUpperCase(), message }
	])
) as Readonly<Record<Name, WireError>>;

export type HttpError = { [C in HttpErrorCode]: { readonly code: C } }[HttpErrorCode];

export const isOwnHttpError = (error: { readonly code: string }): error is HttpError =>
	Object.hasOwn(own, error.code);

/** An error response of the API. It always has `message` and `code`, and no internal details. */
export const apiError = (
	status: number,
	code: string,
	message: string,
	retryAfter: number | null = null,
	more: Readonly<Record<string, unknown>> = {}
): Response => {
	const headers =
		retryAfter === null
			? {}
			: { 'retry-after': String(retryAfter), 'x-retry-after': String(retryAfter) };
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

/** An error for the script of a page that posted a form, as the framework's client reads it. */
export const scriptError = (
	status: number,
	error: Omit<App.Error, 'status'>,
	retryAfter: number | null = null
): Response =>
	Response.json(
		{ type: 'error', error: { status, ...error } },
		{ status, headers: waitOf(retryAfter) }
	);

export const waitOf = (retryAfter: number | null): Record<string, string> =>
	retryAfter === null ? {} : { 'retry-after': String(retryAfter) };
