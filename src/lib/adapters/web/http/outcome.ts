import type { DomainError, DomainErrorCode } from '#lib/domain/errors.ts';
import { messages } from '#lib/messages/messages.ts';
import {
	apiError,
	httpErrors,
	wireError,
	type HttpErrorCode,
	type WireError
} from './http-errors.ts';
import { undoPath } from '#lib/emailed-paths.ts';

/** How a domain error is presented: to API clients by the contract, to people as text. */
interface Outcome<C extends DomainErrorCode> extends WireError {
	readonly text: (error: Extract<DomainError, { code: C }>) => string;
	/** The form field for the text. None if it concerns the whole form. */
	readonly field?: 'email' | 'code';
	/** Fields of the API error besides code and message. */
	readonly more?: (error: Extract<DomainError, { code: C }>) => Readonly<Record<string, string>>;
}

const errors = messages.errors;

/** The contract uses each of these for several domain errors. */
const { too_many_requests: TOO_MANY_REQUESTS, email_not_sent: EMAIL_NOT_SENT } = httpErrors;
const INVALID_TOKEN = wireError(400, 'INVALID_TOKEN', 'Invalid token');
/** The pages of these links ignore `text`. */
const INVALID_LINK = { ...INVALID_TOKEN, text: (): string => errors.invalidLink };

/**
 * The only mapping from domain errors to responses. `npm run check:types` fails while a new error has
 * no row here.
 */
export const outcomes = {
	invalid_email: {
		...wireError(400, 'INVALID_EMAIL', 'Invalid email'),
		text: () => errors.invalidEmail,
		field: 'email'
	},
	too_many_sends: { ...TOO_MANY_REQUESTS, text: ({ isKnown }) => errors.tooManySends(isKnown) },
	too_many_network_sends: { ...TOO_MANY_REQUESTS, text: () => errors.tooManyNetworkSends },
	proof_required: {
		...wireError(403, 'CHALLENGE_REQUIRED', 'Challenge required'),
		text: () => errors.proofRequired
	},
	over_budget: { ...EMAIL_NOT_SENT, text: () => errors.overBudget },
	too_many_wrong_codes: { ...TOO_MANY_REQUESTS, text: () => errors.tooManyWrongCodes },
	delivery_failed: { ...EMAIL_NOT_SENT, text: () => errors.deliveryFailed },
	address_refused: { ...EMAIL_NOT_SENT, text: () => errors.addressRefused, field: 'email' },
	mail_busy: { ...EMAIL_NOT_SENT, text: () => errors.deliveryFailed },
	invalid_code: {
		...wireError(400, 'INVALID_OTP', 'Invalid OTP'),
		text: ({ attemptsLeft }) =>
			attemptsLeft === null ? errors.invalidCode : errors.invalidCodeAttempts(attemptsLeft),
		field: 'code'
	},
	expired_code: {
		...wireError(400, 'OTP_EXPIRED', 'OTP expired'),
		text: () => errors.expiredCode,
		field: 'code'
	},
	too_many_attempts: {
		...wireError(403, 'TOO_MANY_ATTEMPTS', 'Too many attempts'),
		text: () => errors.tooManyAttempts,
		field: 'code'
	},
	same_email: {
		...wireError(400, 'EMAIL_IS_THE_SAME', 'Email is the same'),
		text: () => errors.sameEmail,
		field: 'email'
	},
	email_taken: {
		...wireError(400, 'EMAIL_ALREADY_IN_USE', 'Email already in use'),
		text: () => errors.emailTaken
	},
	invalid_change_link: { ...INVALID_TOKEN, text: () => errors.invalidChangeLink },
	session_not_fresh: {
		...wireError(403, 'SESSION_NOT_FRESH', 'Session is not fresh'),
		text: () => errors.sessionNotFresh,
		field: 'code'
	},
	links_off: {
		...wireError(400, 'VERIFICATION_EMAIL_NOT_ENABLED', "Verification email isn't enabled"),
		text: () => errors.linksOff
	},
	account_deleted: {
		...wireError(403, 'ACCOUNT_DELETED', 'Account is scheduled for deletion'),
		text: ({ purgeAt }) => errors.accountDeleted(purgeAt),
		more: ({ purgeAt }) => ({ purgeAt: purgeAt.toISOString() })
	},
	account_blocked: {
		...wireError(403, 'ACCOUNT_BLOCKED', 'Account is blocked'),
		text: () => errors.accountBlocked
	},
	invalid_restore_grant: INVALID_LINK,
	too_many_consents: { ...TOO_MANY_REQUESTS, text: () => errors.tooManyConsents },
	unknown_unsubscribe_link: INVALID_LINK,
	address_reserved: {
		...wireError(
			403,
			'ADDRESS_RESERVED',
			'An account was changed from this email address. Open undoPath to change it back.'
		),
		text: () => errors.addressReserved,
		more: ({ undoUntil, undoToken }) => ({
			undoPath: undoPath(undoToken),
			undoUntil: undoUntil.toISOString()
		})
	},
	invalid_undo_link: INVALID_LINK,
	unknown_new_device_link: INVALID_LINK
} as const satisfies { readonly [C in DomainErrorCode]: Outcome<C> };

/** Every error code of the API. */
export type WireCode = Uppercase<HttpErrorCode> | (typeof outcomes)[DomainErrorCode]['code'];

export const outcomeOf = <E extends DomainError>(
	error: E
): Omit<Outcome<never>, 'text' | 'more'> & {
	text: string;
	more: Readonly<Record<string, string>>;
} => {
	const row = outcomes[error.code] as Outcome<DomainErrorCode>;
	return { ...row, text: row.text(error), more: row.more?.(error) ?? {} };
};

/** Whole seconds for `Retry-After`. Null if waiting does not help. */
export const retryAfterOf = (error: DomainError): number | null =>
	'retryAfter' in error ? error.retryAfter : null;

export const jsonOutcome = (error: DomainError): Response => {
	const { status, code, message, more } = outcomeOf(error);
	return apiError(status, code, message, retryAfterOf(error), more);
};
