import { z } from 'zod';
import type { SnsTopic } from '#lib/config/mail.ts';
import type { MailEvent } from '#lib/domain/delivery/ports.ts';
import { err, ok } from '#lib/domain/errors.ts';
import { HOUR, secondsAfter, type Clock } from '#lib/domain/time.ts';
import {
	certificates,
	certificateUrl,
	isSignedWith,
	snsMessage,
	snsUrl,
	type FetchText,
	type SnsMessage
} from './sns.ts';
import { jsonOf, type HookResult, type MailHook } from './mail-hook.ts';

/** SNS repeats a message with its first time stamp, for at most an hour. */
const OLDEST_S = HOUR;
const CLOCK_SKEW_S = 300;

export interface SesHookTools {
	readonly clock: Clock;
	readonly fetchText: FetchText;
}

/** Reads notifications of Amazon SES, which come through one topic of Amazon SNS. */
export const sesHook = (topic: SnsTopic, { clock, fetchText }: SesHookTools): MailHook => {
	const certificateAt = certificates(fetchText);

	/** Amazon sends nothing to this URL until it is confirmed. */
	const confirm = async (text: string): Promise<HookResult> => {
		const url = snsUrl(text, topic);
		const isConfirmation = url?.searchParams.get('Action') === 'ConfirmSubscription';
		if (!isConfirmation || url.searchParams.get('TopicArn') !== topic.arn) return err('unreadable');
		return fetchText(url).then(
			() => ok(null),
			() => err('unavailable')
		);
	};

	const authenticate = async (message: SnsMessage): Promise<HookResult> => {
		// Before anything is fetched or compared.
		if (message.TopicArn !== topic.arn || message.SignatureVersion !== '2') return err('forged');
		const url = certificateUrl(message.SigningCertURL, topic);
		if (url === null) return err('forged');
		const now = clock.now();
		const certificate = await certificateAt(url);
		if (certificate === null) return err('unavailable');
		if (!isSignedWith(message, certificate, now)) return err('forged');
		const at = new Date(message.Timestamp);
		const isTimely = at >= secondsAfter(now, -OLDEST_S) && at <= secondsAfter(now, CLOCK_SKEW_S);
		return isTimely ? ok(null) : err('stale');
	};

	return {
		sendsText: true,
		read: async ({ body }) => {
			const parsed = snsMessage.safeParse(jsonOf(body));
			if (!parsed.success) return err('unreadable');
			const message = parsed.data;
			const authentic = await authenticate(message);
			if (!authentic.ok) return authentic;
			if (message.Type === 'SubscriptionConfirmation') return confirm(message.SubscribeURL);
			return ok(message.Type === 'Notification' ? eventIn(message.Message) : null);
		}
	};
};

const header = z.object({ name: z.string(), value: z.string() });
const notification = z.object({
	notificationType: z.string().optional(),
	/** The name of the field in events of a configuration set. */
	eventType: z.string().optional(),
	mail: z.object({
		destination: z.array(z.string()),
		headers: z.array(header).optional()
	}),
	bounce: z.object({ bounceType: z.string(), timestamp: z.coerce.date() }).optional(),
	complaint: z
		.object({ timestamp: z.coerce.date(), complaintSubType: z.string().nullish() })
		.optional()
});

/**
 * SES replaces the Message-ID. Ours is among the original headers, if the notifications include
 * those. Null for notifications of other kinds, also for the test notification of a new topic.
 */
const eventIn = (text: string): MailEvent | null => {
	const parsed = notification.safeParse(jsonOf(text));
	if (!parsed.success) return null;
	const { notificationType, eventType, mail, bounce, complaint } = parsed.data;
	const messageId = mail.headers?.find(({ name }) => name.toLowerCase() === 'message-id')?.value;
	if (messageId === undefined) return null;
	const about = { messageId, recipients: mail.destination };
	const type = notificationType ?? eventType;
	if (type === 'Bounce' && bounce?.bounceType === 'Permanent') {
		return { kind: 'bounced', ...about, at: bounce.timestamp };
	}
	if (type !== 'Complaint' || !complaint) return null;
	// SES sends nothing to an email address that complained earlier. This is no new complaint.
	const isSuppressed = complaint.complaintSubType === 'OnAccountSuppressionList';
	return { kind: isSuppressed ? 'bounced' : 'complained', ...about, at: complaint.timestamp };
};
