import { LRUCache } from 'lru-cache';
import type { MailId } from '#lib/domain/ids.ts';
import { isFinal, type Delivery, type Mail, type Mailer } from '#lib/domain/mail.ts';
import type { Log } from '#lib/domain/ports.ts';
import { fairQueue, type FairQueueSettings, type Timing } from './fair-queue.ts';
import { mailAttempts } from './message.ts';
import type { SmtpPool } from './smtp-pool.ts';

/** A mail provider, as the first or the second of them. */
export interface Provider extends Pick<SmtpPool, 'post'> {
	readonly name: 'primary' | 'fallback';
	/** The log names it, such as `smtp.resend.com`. */
	readonly host: string;
}

export type SendWithin = (mail: Mail, id: MailId | undefined, within: number) => Promise<Delivery>;

export interface SmtpTools {
	readonly timing: Timing;
	/** Gets neither an email address nor any content. */
	readonly log: Log['event'];
}

export interface MailQueueSettings extends Omit<FairQueueSettings, 'timing'> {
	/** The key of an email. The keys take turns. */
	readonly keyOf: (mail: Mail) => string;
	/** For the wait and the sending together, in milliseconds. */
	readonly deadline: number;
}

export const queued = (
	send: SendWithin,
	{ keyOf, deadline, ...settings }: MailQueueSettings,
	{ timing, log }: SmtpTools
): Mailer => {
	const queue = fairQueue({ ...settings, timing });
	return {
		send: async (mail, id) => {
			const delivery = await queue.run(keyOf(mail), (waited) => send(mail, id, deadline - waited));
			if (delivery === 'busy') {
				mailAttempts.publish({ mail, delivery });
				log('mail_busy', { mail: mail.kind, waiting: queue.waiting });
			}
			return delivery;
		}
	};
};

/** The part of the time that the first of two providers may take. */
const FIRST_SHARE = 1 / 3;
/** With less time than this, no second attempt begins. */
const TOO_SHORT_MS = 1_000;

/**
 * Sends each email by one of two providers, or by the only one. When the first refuses it, fails, or
 * does not take it in time, the second gets the same email: the same code and the same Message-ID. So
 * either email works if both arrive, and many mailboxes show them once.
 *
 * The primary provider is the first, unless it is skipped. A code that is requested again before the
 * earlier one has expired is sent through the other provider first.
 */
export const sendThrough = (
	primary: Provider,
	fallback: Provider | null,
	{ timing, log }: SmtpTools
): SendWithin => {
	const health = { primary: providerHealth(timing), fallback: providerHealth(timing) };
	const isSkipped = ({ name }: Provider): boolean => health[name].isSkipped();
	/** The provider that took the last code of an email address, until that code expires. */
	const lastCodes = new LRUCache<string, { readonly by: Provider['name']; readonly at: number }>({
		max: 10_000,
		perf: timing,
		ttlResolution: 0
	});
	const keyOf = ({ kind, to }: Mail): string => `${kind} ${to}`;

	const inOrder = (mail: Mail, fallback: Provider): readonly [Provider, Provider] => {
		const last = lastCodes.get(keyOf(mail));
		// With the same time, it is another attempt to send the same code.
		const isOther = last?.by === 'primary' && last.at !== mail.at?.getTime();
		const [first, second] = isOther ? [fallback, primary] : [primary, fallback];
		return isSkipped(first) && !isSkipped(second) ? [second, first] : [first, second];
	};

	const attempt = async (
		{ name, host, post }: Provider,
		mail: Mail,
		id: MailId | undefined,
		within: number
	): Promise<Delivery> => {
		health[name].beginAttempt();
		const posted = await post(mail, { id, within });
		const { delivery } = posted;
		health[name].endAttempt(delivery);
		mailAttempts.publish({ mail, delivery });
		const fields = { mail: mail.kind, delivery, provider: name, host, ...(id && { id }) };
		if (posted.delivery === 'sent') log('mail_sent', fields);
		else log('mail_failed', { ...fields, step: posted.step, code: posted.code });
		const { code, at, lifetime } = mail;
		const isTaken = delivery === 'sent' || delivery === 'unknown';
		if (fallback && isTaken && code && at && lifetime) {
			lastCodes.set(keyOf(mail), { by: name, at: at.getTime() }, { ttl: lifetime * 1000 });
		}
		return delivery;
	};

	return async (mail, id, within) => {
		const end = timing.now() + within;
		if (fallback === null) return attempt(primary, mail, id, within);
		const [first, second] = inOrder(mail, fallback);
		// Without another provider that works, the first may use the whole time.
		const isAlone = isSkipped(second) && !isSkipped(first);
		const delivery = await attempt(first, mail, id, isAlone ? within : within * FIRST_SHARE);
		const left = end - timing.now();
		if (delivery === 'sent' || left < TOO_SHORT_MS) return delivery;
		const other = await attempt(second, mail, id, left);
		return BEST_FIRST.find((one) => one === delivery || one === other) ?? other;
	};
};

/** From the best outcome for the recipient to the worst: an email is rejected only if both reject it. */
const BEST_FIRST = ['sent', 'unknown', 'not_sent', 'rejected', 'bounced'] as const;

const MOST_FAILURES = 3;
const SKIPPED_FOR_MS = 30_000;

/**
 * Skips a provider that failed three times in a row, for 30 s. Then one email tries it. A final
 * refusal shows that the provider works.
 */
const providerHealth = (timing: Timing) => {
	let failures = 0;
	let skippedUntil = 0;
	const skipIfFailing = (): void => {
		skippedUntil = failures < MOST_FAILURES ? 0 : timing.now() + SKIPPED_FOR_MS;
	};
	return {
		isSkipped: (): boolean => timing.now() < skippedUntil,
		/** While one attempt tries a failing provider, the others skip it. */
		beginAttempt: skipIfFailing,
		endAttempt: (delivery: Delivery): void => {
			failures = delivery === 'sent' || isFinal(delivery) ? 0 : failures + 1;
			skipIfFailing();
		}
	};
};
