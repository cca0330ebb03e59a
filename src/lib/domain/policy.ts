/** Every number the domain decides by. One value, passed to the use-cases; tests vary it. */
export interface AuthPolicy {
	readonly code: {
		/** How long a code lives, in seconds. ASVS 5.0 6.5.5 allows at most ten minutes. */
		readonly lifetime: number;
		/** Guesses a code is compared with; the last one may still be right. */
		readonly attempts: number;
		/** How long a page waits before it offers to send again, in seconds. */
		readonly resendAfter: number;
	};
	readonly throttle: {
		/** Sends to one address in any window. The store keeps exactly this many send times. */
		readonly sends: 5;
		/** The sliding window, in seconds. */
		readonly window: number;
	};
	readonly delivery: {
		/** When to ask again after too many mails waited for the mail server, in seconds. */
		readonly retryAfter: number;
	};
	readonly guessing: {
		/**
		 * Wrong guesses in a row, over any number of codes, after which an address is under attack
		 * and its codes get fewer attempts. NIST SP 800-63B-4 3.2.2 caps such a row at 100.
		 */
		readonly strictAfter: number;
		/** Attempts of a code issued in that state. */
		readonly strictAttempts: number;
		/** How long a row of failures is remembered after its last one, in seconds. */
		readonly memory: number;
	};
	readonly session: {
		/** Lifetime since the last refresh, in seconds. */
		readonly lifetime: number;
		/** A session is refreshed on use once its last refresh is this old, in seconds. */
		readonly refreshAfter: number;
	};
	readonly emailChange: {
		/** How long a link for a change of address lives, in seconds; its mail says so. */
		readonly linkLifetime: number;
		/**
		 * How long after its sign-in a session may request a change without proving the current
		 * address again, in seconds. ASVS 5.0 7.5.1 asks for that proof.
		 */
		readonly freshFor: number;
	};
	readonly deletion: {
		/** How long a deleted account can be restored, in seconds. */
		readonly grace: number;
		/** How long the right code gives leave to restore, in seconds. */
		readonly leave: number;
	};
	readonly prune: {
		/** Rows that one deleting statement may take, so that none holds the database for long. */
		readonly batch: number;
		/** Accounts that one transaction may take; each has rows in nearly every table. */
		readonly accounts: number;
	};
}

const minute = 60;
const day = 24 * 60 * minute;

export const defaultPolicy: AuthPolicy = {
	code: { lifetime: 10 * minute, attempts: 5, resendAfter: 30 },
	throttle: { sends: 5, window: 15 * minute },
	delivery: { retryAfter: 10 },
	guessing: { strictAfter: 50, strictAttempts: 1, memory: 30 * day },
	session: { lifetime: 60 * day, refreshAfter: day },
	emailChange: { linkLifetime: 60 * minute, freshFor: 15 * minute },
	deletion: { grace: 30 * day, leave: 10 * minute },
	prune: { batch: 50, accounts: 5 }
};
