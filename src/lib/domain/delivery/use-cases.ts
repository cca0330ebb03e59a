import type { Email } from '../email.ts';
import type { Clock } from '../clock.ts';
import type { EmailId } from '../ids.ts';
import type { Sealer } from '../sealer.ts';
import { makeReportMailEvent } from './bounces/report-mail-event.ts';
import type { AnyMail } from './mailer.ts';
import type { FailedEmail, OutboxRows } from './outbox-rows.ts';
import { openEmail } from './sealed-email.ts';

export interface ListedEmail extends FailedEmail {
	/** Null once the content was wiped, or when its secret is no longer configured. */
	readonly to: Email | null;
}

/** The emails that were given up, the latest first. */
export type FailedEmails = () => Promise<readonly ListedEmail[]>;

export interface FailedEmailsDeps {
	readonly outboxRows: OutboxRows;
	readonly emailSealer: Sealer;
}

const makeFailedEmails =
	({ outboxRows, emailSealer }: FailedEmailsDeps): FailedEmails =>
	async () => {
		const failed = await outboxRows.failed();
		return failed.map((email) => {
			const opened = openEmail<AnyMail>(emailSealer, email);
			return { ...email, to: opened && opened.mail.to };
		});
	};

/** Makes emails due again that were given up, all or those with these ids. Returns how many. */
export type RetryEmails = (ids: readonly EmailId[] | null) => Promise<number>;

export interface RetryEmailsDeps {
	readonly outboxRows: OutboxRows;
	readonly clock: Clock;
}

const makeRetryEmails =
	({ outboxRows, clock }: RetryEmailsDeps): RetryEmails =>
	(ids) =>
		outboxRows.retryFailed(ids, clock.now());

export const delivery = {
	failedEmails: makeFailedEmails,
	retryEmails: makeRetryEmails,
	reportMailEvent: makeReportMailEvent
};
