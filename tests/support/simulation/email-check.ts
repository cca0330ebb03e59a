import type { Attempt } from '../mail/unreliable-sink.ts';
import type { PromisedEmail } from './email-load.ts';

export interface EmailComplaints {
	/** Promised emails that the mail server never accepted. */
	readonly missing: readonly string[];
	/** Emails that the mail server accepted more than once. */
	readonly twice: readonly string[];
	/** Emails that were sent again while an earlier attempt could still hold their row. */
	readonly tooSoon: readonly string[];
}

/** After the text was dropped, the next attempt follows after this pause, in milliseconds. */
const PAUSE = 15_000;
/** After anything else, only the end of the lease can lead to another attempt. */
const LEASE = 60_000;
/** From the lease to the naming of the recipient, and for the difference of two clocks. */
const TOLERANCE = 3_000;

/** Compares what responses promised with what a mail server got. */
export const complaintsAboutEmails = (
	promised: readonly PromisedEmail[],
	attempts: readonly Attempt[]
): EmailComplaints => {
	const byRecipient = Map.groupBy(attempts, ({ to }) => to);
	const missing = promised.filter(
		({ to, about }) =>
			!(byRecipient.get(to) ?? []).some(
				({ subject, end }) => end === 'accepted' && subject.includes(about)
			)
	);
	const twice: string[] = [];
	const tooSoon: string[] = [];
	for (const ofOne of Map.groupBy(attempts, ({ messageId }) => messageId).values()) {
		const inOrder = ofOne.toSorted((a, b) => a.began - b.began);
		if (inOrder.filter(({ end }) => end === 'accepted').length > 1) twice.push(describe(inOrder));
		const isTooSoon = inOrder.some(({ began }, i) => {
			const before = inOrder[i - 1];
			if (before === undefined) return false;
			const least = before.end === 'dropped' ? PAUSE : LEASE;
			return began - before.began < least - TOLERANCE;
		});
		if (isTooSoon) tooSoon.push(describe(inOrder));
	}
	return { missing: missing.map(({ to, about }) => `${about} for ${to}`), twice, tooSoon };
};

const describe = (attempts: readonly Attempt[]): string => {
	const [first] = attempts;
	const story = attempts.map(({ began, end }) => `${end} at ${Math.round(began)}`);
	return `${first?.subject} for ${first?.to}: ${story.join(', ')}`;
};
