import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { z } from 'zod';
import { err, ok } from '#lib/domain/errors.ts';
import { jsonOf, type MailHook } from './mail-hook.ts';

const payload = z.object({
	type: z.string(),
	data: z.object({
		message_id: z.string().optional(),
		to: z.array(z.string()).optional(),
		bounce: z.object({ type: z.string() }).optional()
	}),
	created_at: z.coerce.date()
});

/** Resend signs with the scheme of Standard Webhooks, under its own header names. */
const signedHeaders = (headers: Headers): Record<string, string> =>
	Object.fromEntries(
		['id', 'timestamp', 'signature'].map((name) => [
			`webhook-${name}`,
			headers.get(`svix-${name}`) ?? headers.get(`webhook-${name}`) ?? ''
		])
	);

/** Reads webhooks of Resend. Its library refuses signatures that are older than five minutes. */
export const resendHook = (secret: string): MailHook => {
	const webhook = new Webhook(secret);
	return {
		sendsText: false,
		read: async ({ headers, body }) => {
			try {
				webhook.verify(body, signedHeaders(headers), { jsonParse: false });
			} catch (error) {
				if (error instanceof WebhookVerificationError) return err('forged');
				throw error;
			}
			const parsed = payload.safeParse(jsonOf(body));
			if (!parsed.success) return err('unreadable');
			const { type, data, created_at: at } = parsed.data;
			const kind = mailEventKind(type, data.bounce?.type);
			if (kind === null || data.message_id === undefined) return ok(null);
			return ok({ kind, messageId: data.message_id, recipients: data.to ?? [], at });
		}
	};
};

/** Resend sends nothing to a suppressed email address: an earlier email to it bounced. */
const mailEventKind = (type: string, bounce = ''): 'bounced' | 'complained' | null => {
	if (type === 'email.complained') return 'complained';
	if (type === 'email.suppressed') return 'bounced';
	return type === 'email.bounced' && bounce === 'Permanent' ? 'bounced' : null;
};
