import type { Accounts } from '../account/accounts.ts';
import type { EmailUndos } from '../email-change/email-undos.ts';
import type { ChangeNotices } from '../email-change/change-notices.ts';
import type { Clock } from '../clock.ts';
import type { AuthPolicy } from '../policy.ts';
import type { Sealer } from '../sealer.ts';
import { secondsAfter } from '../time.ts';
import type { Mail, Mailer } from '../use-cases.ts';
import { isFinal, type Delivery } from './mailer.ts';
import { pauseAfter } from './delivery-policy.ts';
import type { GivenUp, LeasedEmail, OutboxRows } from './outbox-rows.ts';
import { openEmail, type EmailToSend } from './sealed-email.ts';

/** A mailer that can also do all the work for an email without sending it. */
export interface ConditionalMailer extends Mailer {
	/**
	 * Does the work of `send`, takes as long as it usually takes, and sends nothing. Otherwise requests
	 * at this moment, and the next emails, would be slower only when an email is sent.
	 */
	readonly rehearse: (mail: Mail) => Promise<void>;
}

/** The mailers of the two lanes. They share no connections. */
export interface LaneMailers {
	readonly following: Mailer;
	readonly conditional: ConditionalMailer;
}

export interface DeliverEmailDeps extends LaneMailers {
	readonly outboxRows: OutboxRows;
	readonly emailSealer: Sealer;
	readonly changeNotices: Pick<ChangeNotices, 'send'>;
	readonly accounts: Pick<Accounts, 'find'>;
	readonly emailUndos: Pick<EmailUndos, 'isReserved'>;
	readonly clock: Clock;
	readonly policy: AuthPolicy;
	readonly log: (event: string, fields: Readonly<Record<string, string | number>>) => void;
}

/**
 * Makes one attempt to send a leased email. Afterwards the row is removed, due again later, or given
 * up. When the mailer throws, the row is due again later, and the caller gets the error.
 */
export type DeliverEmail = (lease: LeasedEmail) => Promise<void>;

export const makeDeliverEmail = (deps: DeliverEmailDeps): DeliverEmail => {
	const { outboxRows, policy, clock } = deps;

	const giveUp = async (lease: LeasedEmail, failure: GivenUp): Promise<void> => {
		const { id, kind, attempt } = lease;
		// The content of a code or link is worthless, and is wiped. Others can be sent again.
		await outboxRows.giveUp(lease, clock.now(), failure, lease.expiresAt !== null);
		deps.log('mail_given_up', { mail: kind, id, attempts: attempt, failure });
	};

	const tryLater = async (lease: LeasedEmail): Promise<void> => {
		const { attemptsFor } = policy.delivery;
		const now = clock.now();
		const age = (now.getTime() - lease.queuedAt.getTime()) / 1000;
		const next = secondsAfter(now, pauseAfter(lease.attempt, age, policy.delivery));
		if (lease.expiresAt !== null && next >= lease.expiresAt) return giveUp(lease, 'expired');
		if (next >= secondsAfter(lease.queuedAt, attemptsFor)) return giveUp(lease, 'attempts_over');
		await outboxRows.retryAt(lease, next);
	};

	return async (lease) => {
		const now = clock.now();
		// A process that was suspended must not send what another one has leased meanwhile.
		if (secondsAfter(now, policy.delivery.sendTime) > lease.until) return;
		if (lease.expiresAt !== null && lease.expiresAt <= now) return giveUp(lease, 'expired');
		const email = openEmail<Mail>(deps.emailSealer, lease);
		if (email === null) return giveUp(lease, 'unreadable');
		const delivery = await attempt(deps, lease, email).catch(async (error: unknown) => {
			await tryLater(lease);
			throw error;
		});
		if (delivery === 'sent' || delivery === 'not_due') return outboxRows.remove(lease);
		return isFinal(delivery) ? giveUp(lease, 'rejected') : tryLater(lease);
	};
};

const attempt = async (
	deps: DeliverEmailDeps,
	{ id }: LeasedEmail,
	{ mail, onlyIf }: EmailToSend<Mail>
): Promise<Delivery | 'not_due'> => {
	if (mail.kind === 'email_change_notice') return deps.changeNotices.send(mail, id);
	if (onlyIf === null) return deps.following.send(mail, id);
	const found = await deps.accounts.find(mail.to);
	const isReserved = await deps.emailUndos.isReserved(mail.to, deps.clock.now());
	const isDue = {
		account: found !== null || isReserved,
		active_account: found !== null && found.deletedAt === null,
		no_account: found === null
	}[onlyIf];
	if (isDue) return deps.conditional.send(mail, id);
	await deps.conditional.rehearse(mail);
	return 'not_due';
};
