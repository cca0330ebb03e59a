/** The numbers of sending emails. */
export interface DeliveryPolicy {
	/** When to retry after too many emails waited for the mail server, in seconds. */
	readonly retryAfter: number;
	/** How long a worker may hold an email that follows a response, in seconds. */
	readonly lease: number;
	/** The longest time that a mailer takes for one email, in seconds. */
	readonly sendTime: number;
	/** The pause after the first failed attempt, in seconds. See `pauseAfter` for the others. */
	readonly firstPause: number;
	/** The longest pause between two attempts, in seconds. */
	readonly longestPause: number;
	/** How long an email is tried again, in seconds. */
	readonly attemptsFor: number;
	/** How many twelfths of its lifetime a code or link is worth sending. */
	readonly usefulTwelfths: number;
	/** How long an email that was given up is listed and can be sent again, in seconds. */
	readonly keepFailed: number;
}

const minute = 60;
const day = 24 * 60 * minute;

export const defaultDelivery: DeliveryPolicy = {
	retryAfter: 10,
	lease: 60,
	sendTime: 30,
	firstPause: 15,
	longestPause: 60 * minute,
	attemptsFor: day,
	usefulTwelfths: 11,
	keepFailed: 7 * day
};

/**
 * The pause after a failed attempt, in seconds. It doubles with each attempt, but is never longer
 * than `firstPause` plus the age of the email. The pauses of usual attempts never exceed this
 * limit. An email that an operator sends again counts as new, so its pauses are short again. So are
 * those of an email that waited before its first attempt.
 */
export const pauseAfter = (
	attempts: number,
	age: number,
	{ firstPause, longestPause }: DeliveryPolicy
): number => {
	const doubled = firstPause * 2 ** Math.min(attempts - 1, 20);
	return Math.min(doubled, firstPause + Math.max(0, age), longestPause);
};
