import type { Delivery, Mail, Mailer, Outbox } from '#lib/domain/index.ts';
import { roundRobin, type QueueBounds } from './round-robin.ts';
import type { Timing } from './usual-duration.ts';

/** A mailer that can also do all the work for an email without sending it. */
export interface ConditionalMailer extends Mailer {
	/**
	 * Renders and composes an email as `send` does, and discards it. It waits as `send` does, and then
	 * keeps a connection unused for as long as an email usually takes.
	 */
	rehearse(mail: Mail): Promise<void>;
}

export interface PacedOutboxSettings extends QueueBounds {
	/** Sends emails that do not depend on a condition. */
	readonly following: Mailer;
	/**
	 * Sends emails that depend on a condition, such as an existing account. Needs its own
	 * connections, so that these emails cannot delay the others.
	 */
	readonly conditional: ConditionalMailer;
	/** The key of an email. The keys take turns. */
	readonly keyOf: (mail: Mail) => string;
	/** The length of the slot for one conditional email, in milliseconds. */
	readonly slot: number;
	readonly timing: Timing;
	/**
	 * Called when an email was refused because the queue is full, with the number of waiting emails.
	 */
	readonly onBusy: (mail: Mail, waiting: number) => void;
}

export interface PacedOutbox extends Outbox {
	/**
	 * Sends the waiting emails without pacing. For shutdown, when no more requests arrive that could
	 * measure a delay.
	 */
	hurry(): void;
}

/**
 * Sends conditional emails one at a time, in slots of a fixed length. So the timing of other
 * requests does not reveal whether an email was sent.
 */
export const pacedOutbox = (settings: PacedOutboxSettings): PacedOutbox => {
	const { following, conditional, keyOf, timing, onBusy } = settings;
	const waitingEmails = roundRobin<{ begin(): void; refuse(): void }>(settings);
	let { slot } = settings;
	let isTicking = false;

	// The next slot starts on time, even if this email is still being sent.
	const tick = (): void => {
		const next = waitingEmails.next();
		isTicking = next !== null;
		if (next === null) return;
		timing.after(slot, tick);
		next.begin();
	};

	const sendIf = async (
		mail: Mail,
		isDue: () => Promise<boolean>
	): Promise<Delivery | 'not_due'> => {
		if (await isDue()) return conditional.send(mail);
		// Do the same work without sending, and hold a connection as long. Otherwise requests that run
		// at this moment, and the next emails, would be slower only when an email is sent.
		await conditional.rehearse(mail);
		return 'not_due';
	};

	return {
		post: (mail) => following.send(mail),
		postIf: (mail, isDue) =>
			new Promise((resolve) => {
				const waiting = {
					begin: () => resolve(sendIf(mail, isDue)),
					refuse: () => {
						onBusy(mail, waitingEmails.size);
						resolve('no_room');
					}
				};
				waitingEmails.add(keyOf(mail), waiting)?.refuse();
				if (isTicking) return;
				isTicking = true;
				timing.after(slot, tick);
			}),
		hurry: () => {
			slot = 0;
		}
	};
};

/** Sends immediately. For the console mailer and for tests. */
export const directOutbox = (mailer: Mailer): Outbox => ({
	post: (mail) => mailer.send(mail),
	postIf: async (mail, isDue) => ((await isDue()) ? mailer.send(mail) : 'not_due')
});
