import type { Code, Email, LinkToken } from '#lib/domain/index.ts';
import type { OutgoingEmail } from '../rendered-email.ts';

type FieldsOf<M> = M extends unknown ? Omit<M, 'kind'> : never;
type Together<Union> = (Union extends unknown ? (input: Union) => void : never) extends (
	input: infer All
) => void
	? All
	: never;

/** Has the fields of every email, so it tells which placeholders an email has. Never sent. */
const sample: Together<FieldsOf<OutgoingEmail>> = {
	to: 'ada@example.com' as Email,
	account: 'ada@example.com' as Email,
	newEmail: 'grace@example.net' as Email,
	code: '012345' as Code,
	token: 'lQz0nX3hV-8sKq_2dFwYtR7bGmJcP5uE9iAoN1vHx4M' as LinkToken,
	callbackUrl: null,
	stage: 'completed',
	lifetime: 600,
	at: new Date(0),
	purgeAt: new Date(0),
	device: { ipAddress: '203.0.113.7', userAgent: '' }
};

export const sampleMail = (kind: OutgoingEmail['kind']): OutgoingEmail => ({ ...sample, kind });

/** What grants access. An email that has one of these is worthless without it. */
export const SECRETS: readonly (readonly [name: string, value: string])[] = [
	['code', sample.code],
	['link', sample.token]
];
