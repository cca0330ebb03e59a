import { DAY, HOUR, MINUTE } from './time.ts';

/** The numbers of sending emails. All durations are in seconds. */
export interface DeliveryPolicy {
	/** When to retry after too many emails waited for the mail server. */
	readonly busyRetryAfter: number;
	/** How long a worker may hold an email that follows a response. */
	readonly lease: number;
	/** The longest time that a mailer takes for one email. */
	readonly sendTime: number;
	/** The pause after the first failed attempt. See `pauseAfter` for the others. */
	readonly firstPause: number;
	readonly longestPause: number;
	/** How long an email is tried again. */
	readonly attemptsFor: number;
	/** A code or link is tried until this long before it expires. */
	readonly stopBeforeExpiry: number;
	/** How long an email that was given up is listed and can be sent again. */
	readonly keepFailed: number;
}

const defaultDelivery: DeliveryPolicy = {
	busyRetryAfter: 10,
	lease: 60,
	sendTime: 30,
	firstPause: 15,
	longestPause: HOUR,
	attemptsFor: DAY,
	stopBeforeExpiry: MINUTE,
	keepFailed: 7 * DAY
};

/** The numbers of `EMAIL_BUDGET`. */
export interface BudgetPolicy {
	/** Emails that clients may request in an hour by the clock. With `off`, nothing is counted. */
	readonly limit: number | 'off';
	/** The first part of the limit. Unknown clients get no more than this share. */
	readonly unknownShare: number;
	/** The part of the limit that one network may use, known devices included. */
	readonly networkShare: number;
	/** A network may always use this many. */
	readonly networkLeast: number;
}

const defaultBudget: BudgetPolicy = {
	limit: 'off',
	unknownShare: 0.8,
	networkShare: 0.02,
	networkLeast: 5
};

/** The same policy with this limit of emails per hour. */
export const withEmailBudget = <Policy extends { readonly budget: BudgetPolicy }>(
	policy: Policy,
	limit: BudgetPolicy['limit']
): Policy => ({ ...policy, budget: { ...policy.budget, limit } });

/** The numbers of the specification. All durations are in seconds. Tests vary them. */
export interface AuthPolicy {
	readonly code: {
		/** The lifetime of a code. ASVS 5.0 6.5.5 allows at most ten minutes. */
		readonly lifetime: number;
		/** Attempts that are compared with a code, the last one included. */
		readonly attempts: number;
		/** How long until the same browser gets another code. */
		readonly resendAfter: number;
	};
	readonly throttle: {
		/**
		 * Sends to one mailbox, or by an account's known devices, in any window. Fixed: the table has
		 * one column for each (`SENT_AT`).
		 */
		readonly sends: 5;
		readonly window: number;
	};
	readonly budget: BudgetPolicy;
	readonly proof: {
		readonly lifetime: number;
	};
	readonly delivery: DeliveryPolicy;
	readonly wrongCodes: {
		/**
		 * After so many wrong codes in a row, over any codes, an email address counts as under attack,
		 * and its codes get fewer attempts. NIST SP 800-63B-4 3.2.2 limits such a series to 100.
		 */
		readonly strictAfter: number;
		/** Attempts of a code that is issued while its email address is under attack. */
		readonly strictAttempts: number;
		/** How long a series of wrong codes is remembered after the last one. */
		readonly memory: number;
		/** Wrong codes of one network in any `networkWindow`, for each process. */
		readonly networkLimit: number;
		readonly networkWindow: number;
		/** Wrong codes a minute over all networks. Above this, a process logs a line. */
		readonly logAbove: number;
	};
	readonly session: {
		/** How long a session lives after its last refresh. */
		readonly lifetime: number;
		/** A session in use is refreshed once its last refresh is this old. */
		readonly refreshAfter: number;
		/**
		 * How long after its sign-in a session is fresh. Operators' pages, the export and, with
		 * `EMAIL_CHANGE_REPROOF`, an email change ask other sessions for a code. ASVS 5.0 7.5.1.
		 */
		readonly freshFor: number;
		/** Sessions of one account. A further one ends the least recently used one. */
		readonly perAccount: number;
	};
	readonly devices: {
		/** Known devices of one account. A further one replaces the least recently used one. */
		readonly perAccount: number;
		/** Accounts that one device can be known for. */
		readonly accounts: number;
		/** How long a device is known after its last use. Browsers keep no cookie longer. */
		readonly lifetime: number;
	};
	readonly emailChange: {
		/** The lifetime of a link that confirms an email change. The email states it. */
		readonly linkLifetime: number;
		/** How long the old email address can undo a change. */
		readonly undoFor: number;
	};
	readonly deletion: {
		/** How long a deleted account can be restored. */
		readonly grace: number;
		readonly restoreGrant: number;
	};
	readonly consent: {
		/** Consents of one account that are recorded in any window. */
		readonly grants: number;
		readonly window: number;
	};
	readonly prune: {
		/** The most rows that one statement may delete, so that none blocks the database for long. */
		readonly batch: number;
		/** The most accounts that one transaction may remove. Each has rows in nearly every table. */
		readonly accounts: number;
	};
}

export const defaultPolicy: AuthPolicy = {
	code: { lifetime: 10 * MINUTE, attempts: 5, resendAfter: 30 },
	throttle: { sends: 5, window: 15 * MINUTE },
	budget: defaultBudget,
	proof: { lifetime: 5 * MINUTE },
	delivery: defaultDelivery,
	wrongCodes: {
		strictAfter: 50,
		strictAttempts: 1,
		memory: 30 * DAY,
		networkLimit: 30,
		networkWindow: 10 * MINUTE,
		logAbove: 60
	},
	session: { lifetime: 60 * DAY, refreshAfter: DAY, freshFor: 15 * MINUTE, perAccount: 1000 },
	devices: { perAccount: 20, accounts: 5, lifetime: 400 * DAY },
	emailChange: { linkLifetime: HOUR, undoFor: 7 * DAY },
	deletion: { grace: 30 * DAY, restoreGrant: 10 * MINUTE },
	consent: { grants: 10, window: DAY },
	prune: { batch: 50, accounts: 5 }
};
