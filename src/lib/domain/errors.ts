import type { RestoreToken } from './secret.ts';

/**
 * Everything that can go wrong in an expected way. Adapters of the outside (web, tasks) map these
 * codes to their own words in one table; the domain knows no HTTP status and no wire code.
 */
export type DomainError =
	| { readonly code: 'invalid_email' }
	/** Too many codes were asked for this address; `retryAfter` is in whole seconds. */
	| { readonly code: 'too_many_sends'; readonly retryAfter: number }
	/** The mail could not be handed over. An earlier code stays valid. */
	| { readonly code: 'delivery_failed' }
	/**
	 * Too many mails wait for the mail server, so this one was not sent and will not be. The send is not
	 * counted and an earlier code stays valid. `retryAfter` is in whole seconds.
	 */
	| { readonly code: 'mail_busy'; readonly retryAfter: number }
	/** Wrong, unknown or already used. `attemptsLeft` is null when no live code was compared. */
	| { readonly code: 'invalid_code'; readonly attemptsLeft: number | null }
	| { readonly code: 'expired_code' }
	| { readonly code: 'too_many_attempts' }
	/** The account has the address already. */
	| { readonly code: 'same_email' }
	/** Somebody else has the address by now. */
	| { readonly code: 'email_taken' }
	/** Used, expired, replaced, void, or of another account; which one is not told apart. */
	| { readonly code: 'invalid_link' }
	/** The session is too old for this request; a code was sent to the current address, to be entered with it. */
	| { readonly code: 'session_not_fresh' }
	/** This installation sends no links for a change of address. */
	| { readonly code: 'links_off' }
	/** The code was right, but its account is deleted; it can be restored until `purgeAt`, with the leave where one was asked for. */
	| {
			readonly code: 'account_deleted';
			readonly purgeAt: Date;
			readonly leave: RestoreToken | null;
	  }
	/** The leave to restore an account was used or has expired. */
	| { readonly code: 'invalid_leave' };

export type DomainErrorCode = DomainError['code'];

export type ErrorOf<C extends DomainErrorCode> = Extract<DomainError, { code: C }>;

/**
 * A store did not answer or refused to work: a fault, so it is thrown, never returned. The message
 * names the operation only; what a driver says may hold addresses and hashes and stays inside.
 */
export class StoreUnavailable extends Error {
	override readonly name = 'StoreUnavailable';
	readonly reason: string;

	constructor(reason: string) {
		super(`store unavailable (${reason})`);
		this.reason = reason;
	}
}
