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
	INVALID_EMAIL: ofCall('This is not one plain address. Ask for it again.'),
	INVALID_OTP: ofCall(
		'The code is wrong, used up, replaced by a newer one, or meant for another address or purpose. Ask for the code again.'
	),
	OTP_EXPIRED: ofCall('The code is right but too old. Send a new one.'),
	TOO_MANY_ATTEMPTS: ofCall('The code has had all its guesses and is gone. Send a new one.'),
	INVALID_OTP_TYPE: ofCall('`type` names a kind of code that is not offered here.'),
	EMAIL_NOT_SENT: ofCall(
		'The mail could not be handed over. An earlier code stays good; try again in a moment, or after as many seconds as `Retry-After` says.'
	),
	ACCOUNT_DELETED: ofCall(
		'The code is right, but its account was deleted and waits to be removed at `purgeAt`. The same call with `"restore": true` brings it back and signs in.'
	),
	EMAIL_CAN_NOT_BE_UPDATED: ofCall('An address is changed by a code or a link, not here.'),
	NO_FIELDS_TO_UPDATE: ofCall('The body holds nothing that can be changed.'),
	EMAIL_IS_THE_SAME: ofCall('The account has this address already.'),
	EMAIL_ALREADY_IN_USE: ofCall(
		'Another account took the address since the code was sent. Nothing is changed.'
	),
	SESSION_NOT_FRESH: ofCall(
		'The session signed in more than 15 minutes ago. A code was emailed to the current address: repeat the call with it as `otp`.'
	),
	VERIFICATION_EMAIL_NOT_ENABLED: ofCall(
		'This installation changes addresses by code only. Use the endpoints under `/api/auth/email-otp`.'
	),
	UNAUTHORIZED: general(
		'There is no valid session: none was sent, or it has ended. Sign in again.'
	),
	TOO_MANY_REQUESTS: general(
		'This client or this address has used up a limit. Wait as many seconds as `Retry-After` says.'
	),
	INVALID_ORIGIN: general(
		'A browser says that the call comes from a page of an origin that is not trusted. The operator adds it to `AUTH_TRUSTED_ORIGINS`.'
	),
	MISSING_OR_NULL_ORIGIN: general(
		'A cookie is the credential and nothing says where the call comes from, or its origin is `null`. Send a bearer token instead, or call from a page of a trusted origin.'
	),
	INVALID_CALLBACK_URL: general(
		'`callbackURL` is neither a path of this site nor an address of a trusted origin.'
	),
	INVALID_REDIRECT_URL: general('The same for `redirectTo`.'),
	INVALID_ERROR_CALLBACK_URL: general('The same for `errorCallbackURL`.'),
	INVALID_NEW_USER_CALLBACK_URL: general('The same for `newUserCallbackURL`.'),
	UNSUPPORTED_MEDIA_TYPE: general(
		'The body is not marked as JSON. Send `Content-Type: application/json`.'
	),
	PAYLOAD_TOO_LARGE: general('The body has more than 64 KiB.'),
	BAD_REQUEST: general('The body is not JSON.'),
	VALIDATION_ERROR: general(
		'A field is missing or of another type than described. `message` names each.'
	),
	NOT_FOUND: general('There is no such path.'),
	METHOD_NOT_ALLOWED: general('The path has other methods; `Allow` lists them.'),
	SERVICE_UNAVAILABLE: general(
		'The database does not answer. Nobody is signed out by that; try again after `Retry-After`.'
	),
	INTERNAL_ERROR: general('A fault of the server. It is in its log, with the `x-request-id`.')
};
