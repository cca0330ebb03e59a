import { DAY, HOUR, MINUTE } from './time.ts';

/** Texts of pages state these two numbers. */
export const RESTORE_DAYS = 30;
export const UNDO_DAYS = 7;

/**
 * The numbers of the rules. All durations are in seconds. The use-cases get them as `policy`, which
 * their tests replace. The guides state the days of this constant.
 */
export const defaultPolicy = {
	code: {
		/** The lifetime of a code. ASVS 5.0 6.5.5 allows at most ten minutes. */
		lifetime: 10 * MINUTE,
		/** Attempts that are compared with a code, the last one included. */
		attempts: 5,
		/** How long until the same browser gets another code. */
		resendAfter: 30
	},
	throttle: {
		/**
		 * Sends to one mailbox, or by an account's known devices, in any window. Fixed: the table has
		 * one column for each (`SENT_AT`).
		 */
		sends: 5 as const,
		window: 15 * MINUTE
	},
	/** The emails that clients may request in an hour by the clock (`EMAIL_BUDGET`). */
	budget: {
		/** With `off`, nothing is counted. */
		limit: 'off' as number | 'off',
		/** Unknown clients together get at most this share. */
		unknownShare: 0.8,
		/** The part of the limit that one network may use, known devices included. */
		networkShare: 0.02,
		/** One network may always use this many, whatever `networkShare` gives. */
		networkLeast: 5
	},
	proof: { lifetime: 5 * MINUTE },
	delivery: {
		/** When to retry after too many emails waited for the mail server. */
		busyRetryAfter: 10,
		/** How long a worker may hold an email that follows a response. */
		lease: 60,
		/** The longest time that a mailer takes for one email. */
		sendTime: 30,
		/** The pause after the first failed attempt. See `pauseAfter` for the others. */
		firstPause: 15,
		longestPause: HOUR,
		/** How long an email is tried again. */
		attemptsFor: DAY,
		/** A code or link is tried until this long before it expires. */
		stopBeforeExpiry: MINUTE,
		/** How long an email that was given up is listed and can be sent again. */
		keepFailed: 7 * DAY
	},
	wrongCodes: {
		/**
		 * After so many wrong codes in a row, over any codes, an email address counts as under attack,
		 * and its codes get fewer attempts. NIST SP 800-63B-4 3.2.2 limits such a series to 100.
		 */
		strictAfter: 50,
		/** Attempts of a code that is issued while its email address is under attack. */
		strictAttempts: 1,
		/** How long a series of wrong codes is remembered after the last one. */
		memory: 30 * DAY,
		/** Wrong codes of one network in any `networkWindow`, for each process. */
		networkLimit: 30,
		networkWindow: 10 * MINUTE,
		/** Wrong codes a minute over all networks. Above this, a process logs a line. */
		logAbove: 60
	},
	session: {
		/** How long a session lives after its last refresh. */
		lifetime: 60 * DAY,
		/** A session in use is refreshed once its last refresh is this old. */
		refreshAfter: DAY,
		/**
		 * How long after its sign-in a session is fresh. Operators' pages, the export and, with
		 * `EMAIL_CHANGE_REPROOF`, an email change ask other sessions for a code. ASVS 5.0 7.5.1.
		 */
		freshFor: 15 * MINUTE,
		/** Sessions of one account. A further one ends the least recently used one. */
		perAccount: 1000
	},
	devices: {
		/**
		 * Devices of one account, with those that an email change made unknown. A further one replaces
		 * the least recently used unknown one, or else the least recently used one.
		 */
		perAccount: 20,
		/** Accounts that one device can be known for. */
		accounts: 5,
		/** How long a device is known after its last use. Browsers keep no cookie longer. */
		lifetime: 400 * DAY
	},
	emailChange: {
		/** The lifetime of a link that confirms an email change. The email states it. */
		linkLifetime: HOUR,
		/** How long the old email address can undo a change. */
		undoFor: UNDO_DAYS * DAY
	},
	deletion: {
		/** How long a deleted account can be restored. */
		grace: RESTORE_DAYS * DAY,
		restoreGrant: 10 * MINUTE
	},
	consent: {
		/** Consents of one account that are recorded in any window. */
		grants: 10,
		window: DAY
	},
	prune: {
		/** The most rows that one statement may delete, so that none blocks the database for long. */
		batch: 50,
		/** The most accounts that one transaction may remove. Each has rows in nearly every table. */
		accounts: 5
	}
};

type Numbers = typeof defaultPolicy;

export type AuthPolicy = { readonly [Part in keyof Numbers]: Readonly<Numbers[Part]> };

export const withEmailBudget = (
	policy: AuthPolicy,
	limit: AuthPolicy['budget']['limit']
): AuthPolicy => ({ ...policy, budget: { ...policy.budget, limit } });
