import type { Deps, UseCaseDeps } from '../deps.ts';
import { err, ok, type ErrorOf, type Result } from '../errors.ts';
import type { MailId } from '../ids.ts';
import type { Send } from '../limits/ports.ts';
import { isFinal, type Delivery, type Mail } from '../mail.ts';
import { openMail, type MailToSend } from '../outbox.ts';
import type { AuthPolicy } from '../policy.ts';
import type { Log } from '../ports.ts';
import { secondsAfter } from '../time.ts';
import type { DeliverMail, GivenUp, LaneMailers, LeaseDue, LeasedMail } from './ports.ts';

/**
 * Sends an email while the response waits. An email that may have been sent counts as sent, so that
 * its code works when it arrives. When the email was certainly not sent, its send is given back to
 * the throttle.
 */
export const deliverNow = async (
	{ mailer, throttle, policy }: Deps<'mailer' | 'throttle' | 'policy'>,
	mail: Mail,
	id: MailId,
	send: Send
): Promise<Result<null, ErrorOf<'delivery_failed' | 'address_refused' | 'mail_busy'>>> => {
	const delivery = await mailer.send(mail, id);
	if (delivery === 'sent' || delivery === 'unknown') return ok(null);
	await throttle.giveBack(send);
	if (delivery === 'busy')
		return err({ code: 'mail_busy', retryAfter: policy.delivery.busyRetryAfter });
	return err({ code: delivery === 'bounced' ? 'address_refused' : 'delivery_failed' });
};

export const makeLeaseDue =
	({ outboxRows, clock, policy }: Deps<'outboxRows' | 'clock' | 'policy'>): LeaseDue =>
	(lane, limit) => {
		const now = clock.now();
		return outboxRows.lease(lane, now, secondsAfter(now, policy.delivery.lease), limit);
	};

export interface DeliverMailDeps
	extends LaneMailers, Deps<'outboxRows' | 'mailSealer' | 'clock' | 'policy'> {
	readonly accounts: Pick<UseCaseDeps['accounts'], 'find'>;
	readonly changeNotices: Pick<UseCaseDeps['changeNotices'], 'send'>;
	readonly emailUndos: Pick<UseCaseDeps['emailUndos'], 'isReserved'>;
	readonly log: Log['event'];
}

export const makeDeliverMail = (deps: DeliverMailDeps): DeliverMail => {
	const { outboxRows, policy, clock } = deps;

	const giveUp = async (lease: LeasedMail, failure: GivenUp): Promise<void> => {
		const { id, kind, attempt } = lease;
		// The content of a code or link is worthless, and is wiped. Others can be sent again.
		await outboxRows.giveUp(lease, clock.now(), failure, lease.expiresAt !== null);
		deps.log('mail_given_up', { mail: kind, id, attempts: attempt, failure });
	};

	const retryLater = async (lease: LeasedMail): Promise<void> => {
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
		const opened = openMail(deps.mailSealer, lease);
		if (opened === null) return giveUp(lease, 'unreadable');
		const delivery = await sendIfDue(deps, lease, opened).catch(async (error: unknown) => {
			await retryLater(lease);
			throw error;
		});
		if (delivery === 'sent' || delivery === 'not_due') return outboxRows.remove(lease);
		return isFinal(delivery) ? giveUp(lease, 'rejected') : retryLater(lease);
	};
};

const sendIfDue = async (
	deps: DeliverMailDeps,
	{ id }: LeasedMail,
	{ mail, onlyIf }: MailToSend
): Promise<Delivery | 'not_due'> => {
	if (mail.kind === 'email_change_notice') return deps.changeNotices.send(mail, id);
	if (onlyIf === null) return deps.unconditional.send(mail, id);
	const found = await deps.accounts.find(mail.to);
	const isReserved = await deps.emailUndos.isReserved(mail.to, deps.clock.now());
	const isDue = {
		account: found !== null || isReserved,
		active_account: found !== null && found.deletedAt === null,
		no_account: found === null
	}[onlyIf];
	if (isDue) return deps.conditional.send(mail, id);
	await deps.conditional.dryRun(mail);
	return 'not_due';
};

/**
 * Seconds until the next attempt. Each pause is twice the one before, at most an hour, and at most
 * `firstPause` plus the age of the email. An email sent again counts as new: its pauses are short.
 */
const pauseAfter = (
	attempts: number,
	age: number,
	{ firstPause, longestPause }: AuthPolicy['delivery']
): number => {
	const doubled = firstPause * 2 ** Math.min(attempts - 1, 20);
	return Math.min(doubled, firstPause + Math.max(0, age), longestPause);
};
