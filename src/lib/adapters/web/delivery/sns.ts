import { verify, X509Certificate } from 'node:crypto';
import { z } from 'zod';
import type { SnsTopic } from '#lib/config/mail.ts';
import { readAtMost } from '../http/bounded-body.ts';

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
	'Message',
	'MessageId',
	'SubscribeURL',
	'Subject',
	'Timestamp',
	'Token',
	'TopicArn',
	'Type'
];

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

/** Amazon changes its certificates about once a year, and all servers of a region share one. */
const MAX_CERTIFICATES = 8;

type Found = Promise<X509Certificate | null>;

/**
 * Gets signing certificates by their URL, and caches a few. Forged messages can name any number of
 * URLs, so only one is fetched at a time. Null if fetching fails, or if the certificate is not cached
 * and another one is being fetched.
 */
export const certificates = (fetchText: FetchText): ((url: URL) => Found) => {
	const cache = new Map<string, X509Certificate>();
	let fetching: { readonly href: string; readonly found: Found } | null = null;

	const fetchNow = async ({ href }: URL): Found => {
		try {
			const certificate = new X509Certificate(await fetchText(new URL(href)));
			cache.set(href, certificate);
			for (const oldest of cache.keys()) if (cache.size > MAX_CERTIFICATES) cache.delete(oldest);
			return certificate;
		} catch {
			return null;
		} finally {
			fetching = null;
		}
	};

	return async (url) => {
		const { href } = url;
		const cached = cache.get(href);
		if (cached !== undefined) return cached;
		if (fetching !== null) return fetching.href === href ? fetching.found : null;
		fetching = { href, found: fetchNow(url) };
		return fetching.found;
	};
};

/** Gets a text over https. Throws when that fails for any reason. */
export type FetchText = (url: URL) => Promise<string>;

const TIMEOUT_MS = 5_000;
/** A certificate or a confirmation has a few kilobytes. */
const MAX_BYTES = 64 * 1024;

/** Follows no redirect, and reads no more than it needs. */
export const fetchText: FetchText = async (url) => {
	const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
	if (!response.ok) throw new Error(`${url.host} answered ${response.status}`);
	const bytes = await readAtMost(response, MAX_BYTES);
	if (bytes === null) throw new Error(`${url.host} sent more than ${MAX_BYTES} bytes`);
	return Buffer.from(bytes).toString();
};
