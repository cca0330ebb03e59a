import type { ConditionalMailer } from '#lib/domain/delivery/ports.ts';
import type { Mail, Mailer } from '#lib/domain/mail.ts';
import type { Timing } from './fair-queue.ts';

/** The weight of the newest email in the average duration. */
const NEWEST_SHARE = 0.2;

/**
 * Some emails are sent only if the address has an account, or only if it has none. The time must not
 * show which it was, so `dryRun` composes the email and takes as long as a send usually takes.
 */
export const conditionalMailer = (
	mailer: Mailer,
	compose: (mail: Mail) => Promise<unknown>,
	timing: Timing
): ConditionalMailer => {
	/** In milliseconds. */
	let usualDuration: number | null = null;
	return {
		send: async (mail, id) => {
			const began = timing.now();
			const delivery = await mailer.send(mail, id);
			const took = timing.now() - began;
			usualDuration ??= took;
			usualDuration += NEWEST_SHARE * (took - usualDuration);
			return delivery;
		},
		dryRun: async (mail) => {
			const wait = new Promise<void>((resolve) => timing.after(usualDuration ?? 0, resolve));
			await Promise.all([compose(mail), wait]);
		}
	};
};
