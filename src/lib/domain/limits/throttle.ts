import type { Email } from '../email.ts';
import type { UserId } from '../ids.ts';
import type { AuthPolicy } from '../policy.ts';
import type { SendProof } from './send-proof.ts';
import type { Network } from './sender.ts';

/** One email that is to be sent. */
export interface Send {
	readonly email: Email;
	readonly now: Date;
	/** The account, if one of its known devices requests the email. Null for an unknown client. */
	readonly knownAs: UserId | null;
	readonly network: Network;
	/** A proof whose signature, lifetime and binding were checked. */
	readonly proof: SendProof | null;
}

export type Refusal =
	/**
	 * Five sends count. `retryAt` is when the oldest one leaves the window. `level` is the work that an
	 * unknown client proves for the next send, if its network needs a proof. Null for a known device.
	 */
	| { readonly kind: 'full'; readonly retryAt: Date; readonly level: number | null }
	/** The send needs a proof of this level, or a ticket if `ticketAllowed`. */
	| { readonly kind: 'proof_required'; readonly level: number; readonly ticketAllowed: boolean }
	/** The emails of this hour are used up for this caller. */
	| { readonly kind: 'over_budget'; readonly retryAt: Date };

export type Hit =
	| Refusal
	/** `failures` are the wrong guesses in a row at the codes of this address, as last counted. */
	| { readonly kind: 'allowed'; readonly failures: number };

/** A counted send, to take it back. */
export type SendToTakeBack = Pick<Send, 'email' | 'knownAs' | 'network'> & { readonly at: Date };

/**
 * Counts the emails sent to a mailbox and the wrong guesses at the codes of an email address.
 * Sends count for the whole mailbox (see `mailboxOf`): all variants of an address share the five
 * sends. Wrong guesses count for the one email address. Each variant is an account of its own, so
 * guesses at one variant must not make the codes of another weaker or stricter.
 *
 * The known devices of an account have five sends of their own. They count for the account
 * (`knownAs`), so nothing that an unknown client does can use them up.
 *
 * Sends also count for the hour of the site and, for an unknown client, of its network.
 */
export interface Throttle {
	/**
	 * Counts one send, or refuses it and changes nothing. `judgeSend` is the rule.
	 *
	 * Fewer than five sends to the mailbox of `email` were counted in the window before `now`. With
	 * `knownAs`, the same holds for that account and not for the mailbox. The window slides. A send
	 * exactly one window ago no longer counts. Neither do times more than a window ahead of `now`,
	 * which appear when the clock is set back.
	 *
	 * The emails of the hour stay within the limit of `policy.budget`, and an unknown client gets one
	 * only from the share of unknown clients. A send that needs a proof spends it. A proof that was
	 * spent before counts as none.
	 *
	 * All of this is exact under concurrency over all instances, with one exception: the emails that
	 * decide how much work a client must prove are those that are committed.
	 */
	hit(send: Send, policy: AuthPolicy): Promise<Hit>;

	/**
	 * Takes back the send that was counted at `at`, because its email was certainly refused or never
	 * left the queue. The hour of the site and of the network get it back too. Does nothing when
	 * there is no such send. A proof stays spent.
	 */
	giveBack(send: SendToTakeBack): Promise<void>;

	/** Counts one wrong guess at a code of this address. Concurrent guesses are all counted. */
	countFailure(email: Email, now: Date): Promise<void>;

	/**
	 * Removes at most `limit` rows that no longer count. In such a row the last send is at least
	 * `window` seconds old. It has no failure, or the last one is at least `memory` seconds old.
	 * Returns how many. Never removes a row that still counts.
	 */
	prune(now: Date, window: number, memory: number, limit: number): Promise<number>;
}
