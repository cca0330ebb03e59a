import type { ConditionalMailer } from '#lib/domain/delivery/ports.ts';
import type { Mail, Mailer } from '#lib/domain/mail.ts';
import type { Timing } from './fair-queue.ts';

/**
 * Some emails are sent only if the address has an account, or only if it has none. The time must not
 * show which it was, so `dryRun` composes the email and takes as long as the last send took.
 */
export const conditionalMailer = (
	mailer: Mailer,
	compose: (mail: Mail) => Promise<unknown>,
	timing: Timing
): ConditionalMailer => {
	/** In milliseconds. */
	let lastDuration = 0;
	return {
		send: async (mail, id) => {
			const began = timing.now();
			const delivery = await mailer.send(mail, id);
			lastDuration = timing.now() - began;
			return delivery;
		},
		dryRun: async (mail) => {
			const wait = new Promise<void>((resolve) => timing.after(lastDuration, resolve));
			await Promise.all([compose(mail), wait]);
		}
	};
};
