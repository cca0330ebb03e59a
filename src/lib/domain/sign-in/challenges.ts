import type { Binding, Challenge, OpenRequest, Purpose } from './challenge.ts';
import type { Email } from '../email.ts';
import type { AuthPolicy } from '../policy.ts';

/** One guess at the code of an address, from a browser, an account or nobody in particular. */
export interface Guess {
	readonly purpose: Purpose;
	readonly email: Email;
	readonly boundTo: Binding | null;
}

/** The one-time codes that wait to be entered. */
export interface Challenges {
	/**
	 * Puts a challenge in place. It replaces the one of the same purpose, address and binding, as
	 * a whole: a guess in flight against the earlier one can neither revive nor count against it.
	 * Challenges of other browsers stay untouched.
	 *
	 * One that was asked for later stays in place, so that of two sends whose mails overtook each
	 * other the later asked for counts; one whose asking lies after `now` (a clock was set back) does not.
	 */
	issue(challenge: OpenRequest, now: Date): Promise<void>;

	/**
	 * Counts one guess against the challenge it is for, before anybody compares anything, and
	 * returns that challenge with the guess counted.
	 *
	 * The guess is for the live challenge of its binding, otherwise for the live one bound to the
	 * address alone; with none live, for whichever of the two is there, the bound one first. Live
	 * means not expired and with attempts left. A challenge of another binding is never touched.
	 *
	 * Null when there is none, and when its attempts stand above `policy.code.attempts` already:
	 * of any number of guesses at once exactly that many, and one more that learns that it came too
	 * late, get a challenge.
	 */
	countAttempt(guess: Guess, now: Date, policy: AuthPolicy): Promise<Challenge | null>;

	/** The challenge of this binding that was asked for last, whatever its state; null when it has none. Costs no attempt. */
	latestOf(boundTo: Binding, purpose: Purpose): Promise<Challenge | null>;

	/** Removes at most `limit` challenges that expired before or at `now`; returns how many. Never a living one. */
	prune(now: Date, limit: number): Promise<number>;
}
