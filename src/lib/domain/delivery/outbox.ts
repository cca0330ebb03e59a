import type { Ids, EmailId } from '../ids.ts';
import type { AuthPolicy } from '../policy.ts';
import type { Sealer } from '../sealer.ts';
import { secondsAfter } from '../time.ts';
import type { AnyMail } from './mailer.ts';
import type { OutboxRow } from './outbox-rows.ts';
import { sealEmail, type Condition } from './sealed-email.ts';

export interface OutboxPlan {
	readonly now: Date;
	/** Emails of one queue take turns with those of other queues. */
	readonly queue: string;
	/** Who gets the email, if not everyone. It is looked up when the email is about to be sent. */
	readonly onlyIf?: Condition;
}

/**
 * Prepares emails that are sent after the response. The caller stores them together with the fact
 * that they report, then wakes the worker of this process.
 */
export interface OutboxOf<M extends AnyMail> {
	// A property: the type of a method would not be checked for mails that the outbox lacks.
	readonly prepare: (mail: M, plan: OutboxPlan) => OutboxRow;
	/** Has the emails sent soon that were stored. It neither waits nor fails. */
	readonly wake: () => void;
}

export interface OutboxDeps {
	readonly emailSealer: Sealer;
	readonly ids: Ids;
	readonly policy: AuthPolicy;
	readonly wake: () => void;
}

export const makeOutbox = <M extends AnyMail>(deps: OutboxDeps): OutboxOf<M> => ({
	prepare: (mail, { now, queue, onlyIf = null }) => {
		const id = deps.ids.next() as EmailId;
		return {
			id,
			lane: onlyIf === null ? 'following' : 'conditional',
			queue,
			kind: mail.kind,
			content: sealEmail(deps.emailSealer, id, { mail, onlyIf }),
			queuedAt: now,
			expiresAt: usefulUntil(mail, now, deps.policy)
		};
	},
	wake: deps.wake
});

/** A code or link must arrive while there is time to use it. Other emails stay useful. */
const usefulUntil = (mail: AnyMail, now: Date, { delivery }: AuthPolicy): Date | null =>
	'lifetime' in mail && typeof mail.lifetime === 'number'
		? secondsAfter(now, (mail.lifetime * delivery.usefulTwelfths) / 12)
		: null;
