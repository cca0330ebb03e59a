import type { NoticeMoments } from '#lib/config.server.ts';
import type { ChangeNotices } from '#lib/domain/email-change/ports.ts';
import type { Mailer } from '#lib/domain/mail.ts';

/** Emails notices to the address before the change. */
export const emailNotices = (mailer: Mailer, when: NoticeMoments): ChangeNotices => ({
	stages: [
		...(when.before ? (['requested'] as const) : []),
		...(when.after ? (['completed'] as const) : [])
	],
	send: (notice, id) => mailer.send(notice, id)
});
