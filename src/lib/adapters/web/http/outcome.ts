import type { DomainError, DomainErrorCode } from '#lib/domain/errors.ts';
import { messages } from '#lib/messages/messages.ts';
import { apiError, httpErrors, type WireError } from './http-errors.ts';
import { undoPath } from '#lib/emailed-paths.ts';

/** How a domain error is presented: to API clients by the contract, to people as text. */
interface Outcome<C extends DomainErrorCode> {
	readonly wire: keyof typeof httpErrors;
	readonly text: (error: Extract<DomainError, { code: C }>) => string;
	/** The form field for the text. None if it concerns the whole form. */
	readonly field?: 'email' | 'code';
	/** Fields of the API error besides code and message. */
	readonly more?: (error: Extract<DomainError, { code: C }>) => Readonly<Record<string, string>>;
}

const errors = messages.errors;

/** The pages of these links ignore `text`. */
const INVALID_LINK = { wire: 'invalid_token', text: (): string => errors.invalidLink } as const;

/**
 * The only mapping from domain errors to responses. `npm run check:types` fails while a new error has
 * no row here.
 */
export const outcomes = {
	invalid_email: { wire: 'invalid_email', text: () => errors.invalidEmail, field: 'email' },
	too_many_sends: {
		wire: 'too_many_requests',
		text: ({ isKnown }) => errors.tooManySends(isKnown)
	},
	too_many_network_sends: { wire: 'too_many_requests', text: () => errors.tooManyNetworkSends },
	proof_required: { wire: 'challenge_required', text: () => errors.proofRequired },
	over_budget: { wire: 'email_not_sent', text: () => errors.overBudget },
	too_many_wrong_codes: { wire: 'too_many_requests', text: () => errors.tooManyWrongCodes },
	delivery_failed: { wire: 'email_not_sent', text: () => errors.deliveryFailed },
	address_refused: { wire: 'email_not_sent', text: () => errors.addressRefused, field: 'email' },
	mail_busy: { wire: 'email_not_sent', text: () => errors.deliveryFailed },
	invalid_code: {
		wire: 'invalid_otp',
		text: ({ attemptsLeft }) =>
			attemptsLeft === null ? errors.invalidCode : errors.invalidCodeAttempts(attemptsLeft),
		field: 'code'
	},
	expired_code: { wire: 'otp_expired', text: () => errors.expiredCode, field: 'code' },
	too_many_attempts: {
		wire: 'too_many_attempts',
		text: () => errors.tooManyAttempts,
		field: 'code'
	},
	same_email: { wire: 'email_is_the_same', text: () => errors.sameEmail, field: 'email' },
	email_taken: { wire: 'email_already_in_use', text: () => errors.emailTaken },
	invalid_change_link: { wire: 'invalid_token', text: () => errors.invalidChangeLink },
	session_not_fresh: {
		wire: 'session_not_fresh',
		text: () => errors.sessionNotFresh,
		field: 'code'
	},
	links_off: { wire: 'verification_email_not_enabled', text: () => errors.linksOff },
	account_deleted: {
		wire: 'account_deleted',
		text: ({ purgeAt }) => errors.accountDeleted(purgeAt),
		more: ({ purgeAt }) => ({ purgeAt: purgeAt.toISOString() })
	},
	account_blocked: { wire: 'account_blocked', text: () => errors.accountBlocked },
	invalid_restore_grant: INVALID_LINK,
	too_many_consents: { wire: 'too_many_requests', text: () => errors.tooManyConsents },
	unknown_unsubscribe_link: INVALID_LINK,
	address_reserved: {
		wire: 'address_reserved',
		text: () => errors.addressReserved,
		more: ({ undoUntil, undoToken }) => ({
			undoPath: undoPath(undoToken),
			undoUntil: undoUntil.toISOString()
		})
	},
	invalid_undo_link: INVALID_LINK,
	unknown_new_device_link: INVALID_LINK
} as const satisfies { readonly [C in DomainErrorCode]: Outcome<C> };

export const outcomeOf = <E extends DomainError>(
	error: E
): WireError & {
	readonly text: string;
	readonly field: 'email' | 'code' | undefined;
	readonly more: Readonly<Record<string, string>>;
} => {
	const { wire, text, field, more } = outcomes[error.code] as Outcome<DomainErrorCode>;
	return { ...httpErrors[wire], text: text(error), field, more: more?.(error) ?? {} };
};

/** Whole seconds for `Retry-After`. Null if waiting does not help. */
export const retryAfterOf = (error: DomainError): number | null =>
	'retryAfter' in error ? error.retryAfter : null;

export const jsonOutcome = (error: DomainError): Response => {
	const { status, code, message, more } = outcomeOf(error);
	return apiError(status, code, message, retryAfterOf(error), more);
};
