import type { AnyMail } from '../delivery/mailer.ts';
import type { OutboxOf } from '../delivery/outbox.ts';
import type { OutboxRow } from '../delivery/outbox-rows.ts';
import type { Email } from '../email.ts';
import type { Network } from '../limits/sender.ts';

export interface WelcomeMail extends AnyMail {
	readonly kind: 'welcome';
}

/** The emails about a new account. They are stored with it, so each account gets them once. */
export const newAccountEmails = (
	outbox: OutboxOf<WelcomeMail>,
	to: Email,
	network: Network,
	now: Date
): readonly OutboxRow[] => [outbox.prepare({ kind: 'welcome', to }, { now, queue: network })];
