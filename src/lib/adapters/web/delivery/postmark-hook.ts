import { z } from 'zod';
import { POSTMARK_FIELD } from '#lib/config/mail.ts';
import { err, ok } from '#lib/domain/errors.ts';
import { isSameSecret } from '../http/request-headers.ts';
import { jsonOf, type MailHook } from './mail-hook.ts';

const payload = z.object({
	RecordType: z.string(),
	Type: z.string().optional(),
	Email: z.string().optional(),
	BouncedAt: z.coerce.date().optional(),
	Metadata: z.record(z.string(), z.string()).nullish()
});

/** The types that are about the email address and final. Others, such as `SoftBounce`, may pass. */
const FINAL = ['HardBounce', 'BadEmailAddress'];

/** Reads webhooks of Postmark, which sends the credentials of the webhook's URL. */
export const postmarkHook = (credentials: string): MailHook => ({
	sendsText: false,
	read: async ({ headers, body }) => {
		const [, sent = ''] = /^basic +([\w+/=-]+)$/i.exec(headers.get('authorization') ?? '') ?? [];
		const given = Buffer.from(sent, 'base64').toString();
		if (!isSameSecret(given, credentials)) return err('forged');
		const parsed = payload.safeParse(jsonOf(body));
		if (!parsed.success) return err('unreadable');
		const { RecordType, Type = '', Email, BouncedAt, Metadata } = parsed.data;
		const messageId = Metadata?.[POSTMARK_FIELD];
		const kind = mailEventKind(RecordType, Type);
		if (kind === null || messageId === undefined || !Email || !BouncedAt) return ok(null);
		return ok({ kind, messageId, recipients: [Email], at: BouncedAt });
	}
});

const mailEventKind = (record: string, type: string): 'bounced' | 'complained' | null => {
	if (record === 'SpamComplaint') return 'complained';
	return record === 'Bounce' && FINAL.includes(type) ? 'bounced' : null;
};
