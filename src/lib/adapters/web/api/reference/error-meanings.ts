import { defaultPolicy } from '#lib/domain/policy.ts';

export interface Meaning {
	readonly text: string;
	/** Whether many calls can return this error, so that each need not explain it. */
	readonly general: boolean;
}

const general = (text: string): Meaning => ({ text, general: true });
const ofCall = (text: string): Meaning => ({ text, general: false });

/**
 * What each error means for the caller, and what to do about it. A test fails if one is missing.
 */
export const errorMeanings: Readonly<Record<string, Meaning>> = {
	INVALID_EMAIL: ofCall('This is not a single, valid email address. Ask the person to correct it.'),
	INVALID_OTP: ofCall(
		'The code is wrong, already used, replaced by a newer one, or for another email address or purpose. Ask the person to enter it again.'
	),
	OTP_EXPIRED: ofCall('The code is correct but has expired. Request a new one.'),
	TOO_MANY_ATTEMPTS: ofCall('The code has no attempts left and was deleted. Request a new one.'),
	INVALID_OTP_TYPE: ofCall('`type` is not one of the allowed values.'),
	EMAIL_NOT_SENT: ofCall(
		'The email could not be sent. An earlier code stays valid. Try again in a moment, or after the number of seconds in `Retry-After`.'
	),
	ACCOUNT_DELETED: ofCall(
		'The code is correct, but its account was deleted. The account is permanently deleted at `purgeAt`. Repeat the call with `"restore": true` to restore the account and sign in.'
	),
	ADDRESS_RESERVED: ofCall(
		'The code is correct, but an account was recently changed from this email address to another one. Open `undoPath` on the site: one press there gives the account back, until `undoUntil`. After that, the email address is free.'
	),
	EMAIL_CAN_NOT_BE_UPDATED: ofCall(
		'This call cannot change the email address. Use a code or a link.'
	),
	NO_FIELDS_TO_UPDATE: ofCall('The body contains no field that can be changed.'),
	EMAIL_IS_THE_SAME: ofCall('The account already has this email address.'),
	EMAIL_ALREADY_IN_USE: ofCall(
		'Another account has taken the email address since the code was sent. Nothing is changed.'
	),
	SESSION_NOT_FRESH: ofCall(
		`The session signed in more than ${defaultPolicy.emailChange.freshFor / 60} minutes ago. A code was sent to the current email address. Repeat the call with that code as \`otp\`.`
	),
	VERIFICATION_EMAIL_NOT_ENABLED: ofCall(
		'This installation changes email addresses only by code. Use the endpoints under `/api/auth/email-otp`.'
	),
	UNKNOWN_WORDING: ofCall(
		'`wording` names no text of this site. Leave it out if the app shows a text of its own.'
	),
	INVALID_TOKEN: ofCall(
		'The link is incomplete, or its account no longer exists. No consent is left to withdraw.'
	),
	UNAUTHORIZED: general(
		'There is no valid session: the request has no credential, or the session has ended. Sign in again.'
	),
	TOO_MANY_REQUESTS: general(
		'This client, its network or this email address has reached a rate limit. Wait for the number of seconds in `Retry-After`.'
	),
	INVALID_ORIGIN: general(
		'The browser reports that the call comes from a page of an origin that is not trusted. The operator can add the origin to `AUTH_TRUSTED_ORIGINS`.'
	),
	MISSING_OR_NULL_ORIGIN: general(
		'The credential is a cookie and no header states where the call comes from, or its origin is `null`. Send a bearer token instead, or call from a page of a trusted origin.'
	),
	INVALID_CLIENT_KEY: general(
		'The header `X-Postern-Client` is not 22 to 86 characters of base64url. Send a valid key, or leave the header out.'
	),
	INVALID_PROOF: general(
		'The header `X-Postern-Proof` is not the answer to a challenge. Send it in the documented form, or leave the header out.'
	),
	CHALLENGE_REQUIRED: general(
		'The operator switched `PROOF_OF_WORK` on, and the client is not a known device. Nothing was sent. Solve `challenge` and repeat the call with the answer in the header `X-Postern-Proof`.'
	),
	INVALID_CALLBACK_URL: general(
		'`callbackURL` is neither a path of this site nor a URL of a trusted origin.'
	),
	INVALID_REDIRECT_URL: general(
		'`redirectTo` is neither a path of this site nor a URL of a trusted origin.'
	),
	INVALID_ERROR_CALLBACK_URL: general(
		'`errorCallbackURL` is neither a path of this site nor a URL of a trusted origin.'
	),
	INVALID_NEW_USER_CALLBACK_URL: general(
		'`newUserCallbackURL` is neither a path of this site nor a URL of a trusted origin.'
	),
	UNSUPPORTED_MEDIA_TYPE: general(
		'The content type is not the one that the call takes. Send `Content-Type: application/json`, unless the call takes a form.'
	),
	PAYLOAD_TOO_LARGE: general('The body is larger than 64 KiB.'),
	BAD_REQUEST: general('The body is not valid JSON, or not a valid form.'),
	VALIDATION_ERROR: general(
		'A field is missing or has the wrong type. `message` names each such field.'
	),
	NOT_FOUND: general('The path does not exist.'),
	METHOD_NOT_ALLOWED: general(
		'The path does not support this method. `Allow` lists the supported methods.'
	),
	SERVICE_UNAVAILABLE: general(
		'The database does not respond. Sessions stay valid. Try again after the number of seconds in `Retry-After`.'
	),
	INTERNAL_ERROR: general(
		'The server failed. Try again. The log of the server has the details under the `x-request-id` of the response.'
	)
};
