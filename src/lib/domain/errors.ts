import type { RestoreToken } from './secret.ts';
import type { UndoToken } from './signed-links.ts';

/** The outcome of a call that can fail in an expected way. Faults are thrown instead. */
export type Result<T, E> =
	{ readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E };

export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value });

export const err = <const E>(error: E): { readonly ok: false; readonly error: E } => ({
	ok: false,
	error
});

/**
 * Every expected error. The web adapter maps these codes to its own terms in one table, which the
 * commands use too. The domain knows no HTTP status and no code of the HTTP API. `retryAfter` is in
 * whole seconds.
 */
export type DomainError =
	| { readonly code: 'invalid_email' }
	/** Too many emails were requested for this address. `isKnown`: by a known device or a session. */
	| { readonly code: 'too_many_sends'; readonly retryAfter: number; readonly isKnown: boolean }
	/** The client's network has used its part of this hour's emails. */
	| { readonly code: 'too_many_network_sends'; readonly retryAfter: number }
	/** An unknown client has to prove work first. Nothing was counted and nothing was sent. */
	| { readonly code: 'proof_required' }
	/** The emails of this hour are used up for this client. */
	| { readonly code: 'over_budget'; readonly retryAfter: number }
	/** Too many wrong codes came from the client's network. The check cost no attempt. */
	| { readonly code: 'too_many_wrong_codes'; readonly retryAfter: number }
	/** The email could not be handed over. An earlier code stays valid. */
	| { readonly code: 'delivery_failed' }
	/** The mail server refused the email address of the recipient. An earlier code stays valid. */
	| { readonly code: 'address_refused' }
	/**
	 * The mail server has too many emails to send. This one was not sent and never will be. The send
	 * is not counted, and an earlier code stays valid.
	 */
	| { readonly code: 'mail_busy'; readonly retryAfter: number }
	/** Wrong, unknown or already used. `attemptsLeft` is null when no live code was compared. */
	| { readonly code: 'invalid_code'; readonly attemptsLeft: number | null }
	| { readonly code: 'expired_code' }
	| { readonly code: 'too_many_attempts' }
	| { readonly code: 'same_email' }
	| { readonly code: 'email_taken' }
	/** Used, expired, replaced, void, or of another account. The error does not show which. */
	| { readonly code: 'invalid_change_link' }
	/** The sign-in is too old. The next request needs the code sent to the current email address. */
	| { readonly code: 'session_not_fresh' }
	/** This installation sends no links for email changes. */
	| { readonly code: 'links_off' }
	/** The code was right. The restore grant is included where the client requested one. */
	| {
			readonly code: 'account_deleted';
			readonly purgeAt: Date;
			readonly restoreToken: RestoreToken | null;
	  }
	/** The code was right, but an operator blocked its account. The code stays valid. */
	| { readonly code: 'account_blocked' }
	/** The restore grant was used or has expired. */
	| { readonly code: 'invalid_restore_grant' }
	/** The account gave its consent too often lately. `retryAfter` is in whole seconds. */
	| { readonly code: 'too_many_consents'; readonly retryAfter: number }
	/** The link is incomplete, or its account was purged. The error does not show which. */
	| { readonly code: 'unknown_unsubscribe_link' }
	/** The link of a notice about a new device is incomplete or was not made by us. */
	| { readonly code: 'unknown_new_device_link' }
	/**
	 * The code was right, but the email address lately belonged to an account, and can have it back
	 * until `undoUntil`. The token opens the page for that.
	 */
	| {
			readonly code: 'address_reserved';
			readonly undoUntil: Date;
			readonly undoToken: UndoToken;
	  }
	/** The change was undone before, the time for it is over, or the link is incomplete. */
	| { readonly code: 'invalid_undo_link' };

export type DomainErrorCode = DomainError['code'];

export type ErrorOf<C extends DomainErrorCode> = Extract<DomainError, { code: C }>;

/**
 * A store did not respond or refused to work. This is a fault, so it is thrown and never returned. The
 * message of the driver is left out: it can hold email addresses and hashes.
 */
export class StoreUnavailable extends Error {
	override readonly name = 'StoreUnavailable';
	readonly reason: string;
	/** Of a bug in our own code: the frames of its stack, which hold no values. */
	readonly frames: string;

	constructor(reason: string, frames = '') {
		super(`store unavailable (${reason})`);
		this.reason = reason;
		this.frames = frames;
	}
}
