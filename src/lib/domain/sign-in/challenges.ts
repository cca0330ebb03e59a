import type { Binding, Challenge, OpenRequest, Purpose } from './challenge.ts';
import type { OutboxRow } from '../delivery/outbox-rows.ts';
import type { Email } from '../email.ts';
import type { ChallengeId } from '../ids.ts';
import type { AuthPolicy } from '../policy.ts';

/** One guess at the code of an address, from a browser, from an account, or without a binding. */
export interface Guess {
	readonly purpose: Purpose;
	readonly email: Email;
	readonly boundTo: Binding | null;
}

/** One-time codes that were not used yet. */
export interface Challenges {
	/**
	 * Stores a challenge. It replaces the whole challenge of the same purpose, address and binding.
	 * A concurrent guess at the earlier one can neither restore it nor count against the new one.
	 * Challenges of other browsers stay unchanged.
	 *
	 * A stored challenge that was requested later stays. So when two emails overtake each other,
	 * the later request counts. This does not hold for a stored challenge requested after `now`,
	 * which appears when a clock is set back.
	 *
	 * The emails go to the outbox together with the challenge, and only if it is stored.
	 */
	issue(challenge: OpenRequest, now: Date, emails?: readonly OutboxRow[]): Promise<void>;

	/**
	 * Counts one guess against its challenge before anything is compared. Returns that challenge
	 * with the guess counted.
	 *
	 * The guess counts against the live challenge of its binding, otherwise against the live one
	 * that is bound to the address alone. When neither is live, it counts against the one that
	 * exists, and the bound one comes first. Live means not expired and with attempts left. A
	 * challenge of another binding is never touched.
	 *
	 * Returns null when there is no challenge, and when its attempts are already above
	 * `policy.code.attempts`. Of any number of concurrent guesses, exactly that many get the
	 * challenge while it is open. One more gets it when it is exhausted.
	 */
	countAttempt(guess: Guess, now: Date, policy: AuthPolicy): Promise<Challenge | null>;

	/**
	 * Marks a challenge whose email bounced. It stays valid. Nothing happens when it is gone or was
	 * replaced.
	 */
	markBounced(id: ChallengeId, now: Date): Promise<void>;

	/**
	 * The newest challenge of this binding, in any state. Null when there is none. Costs no
	 * attempt.
	 */
	latestOf(boundTo: Binding, purpose: Purpose): Promise<Challenge | null>;

	/**
	 * Removes at most `limit` challenges that expired at or before `now`. Returns how many. Never
	 * removes a live one.
	 */
	prune(now: Date, limit: number): Promise<number>;
}
