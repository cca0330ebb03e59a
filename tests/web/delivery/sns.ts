import { sign } from 'node:crypto';
import { generate } from 'selfsigned';
import { signedText, snsMessage, type FetchText } from '#lib/adapters/web/delivery/sns.ts';

export const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:bounces';
export const SNS = 'https://sns.eu-west-1.amazonaws.com';
export const CERTIFICATE = `${SNS}/SimpleNotificationService-${'0a'.repeat(16)}.pem`;
export const CONFIRM = `${SNS}/?Action=ConfirmSubscription&TopicArn=${TOPIC}&Token=2336412f`;

/** Amazon SNS with a signing key of its own. */
export const openSns = async (now: Date) => {
	const day = 86_400_000;
	const { private: key, cert } = await generate(
		[{ name: 'commonName', value: 'sns.amazonaws.com' }],
		{
			keySize: 2048,
			algorithm: 'sha256',
			notBeforeDate: new Date(now.getTime() - day),
			notAfterDate: new Date(now.getTime() + day)
		}
	);
	const fetched: string[] = [];
	let answer: FetchText = async () => cert;
	const signed = (fields: Readonly<Record<string, string>>): string => {
		const message = {
			Type: 'Notification',
			MessageId: 'de305d54-75b4-431b-adb2-eb6b9e546014',
			TopicArn: TOPIC,
			Message: '{}',
			Timestamp: now.toISOString(),
			SignatureVersion: '2',
			SigningCertURL: CERTIFICATE,
			...fields
		};
		const text = signedText(snsMessage.parse({ ...message, Signature: '' }));
		const Signature = sign('sha256', Buffer.from(text), key).toString('base64');
		return JSON.stringify({ ...message, Signature });
	};
	return {
		cert,
		/** The URLs that the server opened. */
		fetched,
		fetchText: ((url) => {
			fetched.push(url.href);
			return answer(url);
		}) satisfies FetchText,
		/** What the server gets from now on instead of the certificate. */
		meet: (other: FetchText): void => void (answer = other),
		/** A message with a valid signature. */
		signed,
		confirmation: (fields: Readonly<Record<string, string>> = {}): string =>
			signed({
				Type: 'SubscriptionConfirmation',
				Token: '2336412f',
				SubscribeURL: CONFIRM,
				...fields
			})
	};
};

/** What SES says about an email, with its original headers. */
export const aNotification = (
	kind: 'Bounce' | 'Complaint',
	email: string,
	name: string,
	at: Date,
	type = 'Permanent'
): string =>
	JSON.stringify({
		notificationType: kind,
		mail: {
			destination: [email],
			headers: [
				{ name: 'From', value: 'Postern <codes@example.org>' },
				{ name: 'Message-ID', value: `<${name}@example.org>` }
			]
		},
		...(kind === 'Bounce'
			? { bounce: { bounceType: type, timestamp: at.toISOString() } }
			: { complaint: { complaintSubType: type, timestamp: at.toISOString() } })
	});
