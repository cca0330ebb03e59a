import type { Delivery, Mail, Mailer, Outbox } from '#lib/domain/index.ts';
import { fairLines, type LineBounds } from './fair-lines.ts';
import type { Timing } from './timing.ts';

/** A mailer that can also do all of its own work for an email without sending it. */
export interface ConditionalMailer extends Mailer {
	/**
	 * Renders and composes an email as `send` does, and drops it. It waits as `send` does, and then
	 * keeps a connection free for as long as an email usually takes.
	 */
	rehearse(mail: Mail): Promise<void>;
}

export interface PacedOutboxSettings extends LineBounds {
	/** For emails that everybody gets. */
	readonly following: Mailer;
	/** For emails that only some get, over connections of its own. */
	readonly conditional: ConditionalMailer;
	/** Who an email is sent for; the lines of different ones are served in turn. */
	readonly lineOf: (mail: Mail) => string;
	/** How long one conditional email has the turn, in milliseconds. */
	readonly slot: number;
	readonly timing: Timing;
	/** Learns of an email that found no room, with the number of those that wait. */
	readonly onBusy: (mail: Mail, waiting: number) => void;
}

export interface PacedOutbox extends Outbox {
	/** Drops the pace: what waits goes out at once. For shutdown, when nobody can measure any more. */
	hurry(): void;
}

/** Conditional emails have their turn in slots of a fixed length, one at a time. */
export const pacedOutbox = (settings: PacedOutboxSettings): PacedOutbox => {
	const { following, conditional, lineOf, timing, onBusy } = settings;
	const lines = fairLines<{ begin(): void; refuse(): void }>(settings);
	let { slot } = settings;
	let isTicking = false;

	// The next slot begins when this one is over, whatever became of its email. Nothing waits for it.
	const tick = (): void => {
		const next = lines.next();
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
		// What this process computes for an email would otherwise delay the requests of this moment. And
		// the connection that it would use would otherwise be free for the emails after it.
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
						onBusy(mail, lines.size);
						resolve('busy');
					}
				};
				lines.add(lineOf(mail), waiting)?.refuse();
				if (isTicking) return;
				isTicking = true;
				timing.after(slot, tick);
			}),
		hurry: () => {
			slot = 0;
		}
	};
};

/** Sends at once: for a console, and for tests. */
export const directOutbox = (mailer: Mailer): Outbox => ({
	post: (mail) => mailer.send(mail),
	postIf: async (mail, isDue) => ((await isDue()) ? mailer.send(mail) : 'not_due')
});
