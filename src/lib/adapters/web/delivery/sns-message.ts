import { verify, type X509Certificate } from 'node:crypto';
import { z } from 'zod';
import type { SnsTopic } from '#lib/config/mail.ts';

const common = {
	Message: z.string(),
	MessageId: z.string(),
	Timestamp: z.string(),
	TopicArn: z.string(),
	SignatureVersion: z.string(),
	Signature: z.string(),
	SigningCertURL: z.string()
};

/** A message of Amazon SNS, of the kinds that a subscription gets. */
export const snsMessage = z.discriminatedUnion('Type', [
	z.object({ Type: z.literal('Notification'), Subject: z.string().nullish(), ...common }),
	z.object({
		Type: z.enum(['SubscriptionConfirmation', 'UnsubscribeConfirmation']),
		SubscribeURL: z.string(),
		Token: z.string(),
		...common
	})
]);

export type SnsMessage = z.output<typeof snsMessage>;

/** The fields that Amazon signs, in its order. A message has the ones of its kind. */
const SIGNED = [
	...['Message', 'MessageId', 'SubscribeURL', 'Subject', 'Timestamp', 'Token', 'TopicArn', 'Type']
] as const;

/** The schema drops the fields that belong to another kind, which are not signed. */
export const signedText = (message: SnsMessage): string => {
	const fields = new Map<string, unknown>(Object.entries(message));
	return SIGNED.filter((name) => typeof fields.get(name) === 'string')
		.map((name) => `${name}\n${String(fields.get(name))}\n`)
		.join('');
};

/** Whether the key of this certificate signed the message, and the certificate is valid. */
export const isSignedWith = (
	message: SnsMessage,
	{ publicKey, validFromDate, validToDate }: X509Certificate,
	now: Date
): boolean => {
	if (now < validFromDate || now > validToDate) return false;
	const signature = Buffer.from(message.Signature, 'base64');
	return verify('sha256', Buffer.from(signedText(message)), publicKey, signature);
};

/**
 * A URL of the SNS of the topic's region, and of no other host, port or user. Null for all others:
 * the server opens it.
 */
export const snsUrl = (text: string, { region }: SnsTopic): URL | null => {
	const url = URL.canParse(text) ? new URL(text) : null;
	return url?.origin === `https://sns.${region}.amazonaws.com` &&
		url.username === '' &&
		url.password === ''
		? url
		: null;
};

/** The URL of a signing certificate. Null for all others. */
export const certificateUrl = (text: string, topic: SnsTopic): URL | null => {
	const url = snsUrl(text, topic);
	const isPlain = url?.search === '' && url.hash === '';
	return isPlain && /^\/SimpleNotificationService-[0-9a-f]{32}\.pem$/.test(url.pathname)
		? url
		: null;
};
