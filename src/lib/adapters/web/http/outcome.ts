import type { DomainError, DomainErrorCode } from '#lib/domain/errors.ts';
import { messages } from '#lib/messages/messages.ts';
import { apiError, EMAIL_NOT_SENT, TOO_MANY_REQUESTS } from './http-errors.ts';
import { undoPath } from '#lib/emailed-paths.ts';

/** How a domain error is presented: to API clients by the contract, to people as text. */
export interface Outcome<C extends DomainErrorCode> {
	readonly status: number;
	readonly code: string;
	/** Part of the API contract, so it is not translated. */
	readonly message: string;
	readonly text: (error: Extract<DomainError, { code: C }>) => string;
	/**
	 * Whether the button of the form counts the seconds of `retryAfter`, until the email address is
	 * edited. Not where the person can go on at once from another network.
	 */
	readonly waits?: true;
	/** The form field for the text. Null if it concerns the whole form. */
	readonly field: 'email' | 'code' | null;
	/** Fields of the API error besides code and message. */
	readonly more?: (error: Extract<DomainError, { code: C }>) => Readonly<Record<string, string>>;
}

const errors = messages.errors;

const INVALID_TOKEN = {
	status: 400,
	code: 'INVALID_TOKEN',
	message: 'Invalid token',
	field: null
} as const;

/**
 * The only mapping from domain errors to responses. `npm run check:types` fails while a new error has
 * no row here.
 */
export const outcomes: { readonly [C in DomainErrorCode]: Outcome<C> } = {
	invalid_email: {
		status: 400,
		code: 'INVALID_EMAIL',
		message: 'Invalid email',
		text: () => errors.invalidEmail,
		field: 'email'
	},
	too_many_sends: {
		...TOO_MANY_REQUESTS,
		text: ({ isKnown }) => errors.tooManySends(isKnown),
		waits: true,
		field: null
	},
	too_many_network_sends: {
		...TOO_MANY_REQUESTS,
		text: ({ retryAfter }) => errors.tooManyNetworkSends(retryAfter),
		field: null
	},
	proof_required: {
		status: 403,
		code: 'CHALLENGE_REQUIRED',
		message: 'Challenge required',
		text: () => errors.proofRequired,
		field: null
	},
	over_budget: {
		...EMAIL_NOT_SENT,
		text: () => errors.overBudget,
		waits: true,
		field: null
	},
	too_many_wrong_codes: {
		...TOO_MANY_REQUESTS,
		text: ({ retryAfter }) => errors.tooManyWrongCodes(retryAfter),
		field: null
	},
	delivery_failed: { ...EMAIL_NOT_SENT, text: () => errors.deliveryFailed, field: null },
	address_refused: { ...EMAIL_NOT_SENT, text: () => errors.addressRefused, field: 'email' },
	mail_busy: { ...EMAIL_NOT_SENT, text: () => errors.deliveryFailed, field: null },
	invalid_code: {
		status: 400,
		code: 'INVALID_OTP',
		message: 'Invalid OTP',
		text: ({ attemptsLeft }) =>
			attemptsLeft === null ? errors.invalidCode : errors.invalidCodeAttempts(attemptsLeft),
		field: 'code'
	},
	expired_code: {
		status: 400,
		code: 'OTP_EXPIRED',
		message: 'OTP expired',
		text: () => errors.expiredCode,
		field: 'code'
	},
	too_many_attempts: {
		status: 403,
		code: 'TOO_MANY_ATTEMPTS',
		message: 'Too many attempts',
		text: () => errors.tooManyAttempts,
		field: 'code'
	},
	same_email: {
		status: 400,
		code: 'EMAIL_IS_THE_SAME',
		message: 'Email is the same',
		text: () => errors.sameEmail,
		field: 'email'
	},
	email_taken: {
		status: 400,
		code: 'EMAIL_ALREADY_IN_USE',
		message: 'Email already in use',
		text: () => errors.emailTaken,
		field: null
	},
	invalid_link: { ...INVALID_TOKEN, text: () => errors.invalidLink },
	session_not_fresh: {
		status: 403,
		code: 'SESSION_NOT_FRESH',
		message: 'Session is not fresh',
		text: () => errors.sessionNotFresh,
		field: 'code'
	},
	links_off: {
		status: 400,
		code: 'VERIFICATION_EMAIL_NOT_ENABLED',
		message: "Verification email isn't enabled",
		text: () => errors.linksOff,
		field: null
	},
	account_deleted: {
		status: 403,
		code: 'ACCOUNT_DELETED',
		message: 'Account is scheduled for deletion',
		text: ({ purgeAt }) => errors.accountDeleted(purgeAt),
		field: null,
		more: ({ purgeAt }) => ({ purgeAt: purgeAt.toISOString() })
	},
	account_blocked: {
		status: 403,
		code: 'ACCOUNT_BLOCKED',
		message: 'Account is blocked',
		text: () => errors.accountBlocked,
		field: null
	},
	invalid_restore_grant: { ...INVALID_TOKEN, text: () => errors.invalidRestoreGrant },
	too_many_consents: { ...TOO_MANY_REQUESTS, text: () => errors.tooManyConsents, field: null },
	unknown_unsubscribe_link: { ...INVALID_TOKEN, text: () => errors.unknownUnsubscribeLink },
	address_reserved: {
		status: 403,
		code: 'ADDRESS_RESERVED',
		message: 'An account was changed from this email address. Open undoPath to change it back.',
		text: () => errors.addressReserved,
		field: null,
		more: ({ undoUntil, undoToken }) => ({
			undoPath: undoPath(undoToken),
			undoUntil: undoUntil.toISOString()
		})
	},
	invalid_undo_link: { ...INVALID_TOKEN, text: () => errors.invalidUndoLink },
	unknown_device_link: { ...INVALID_TOKEN, text: () => errors.unknownDeviceLink }
};

/** The row of an error, with its text filled in. */
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

/** The API response to a domain error. */
export const jsonOutcome = (error: DomainError): Response => {
	const { status, code, message, more } = outcomeOf(error);
	return apiError(status, code, message, retryAfterOf(error), more);
};
