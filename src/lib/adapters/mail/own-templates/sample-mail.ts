import type { OutgoingEmail } from '../rendered-email.ts';

type FieldsOf<M> = M extends unknown ? Exclude<keyof M, 'kind'> : never;

/** The token in the sample's link. Unique, so that a rendered value can be searched for it. */
const TOKEN = 'the-token-of-the-sample';

/**
 * Has every field of every email, so it tells which placeholders an email has, and shows each email
 * in development. Never sent. It does not compile while a field is missing.
 */
const sample = {
	to: 'ada@example.com',
	account: 'ada@example.com',
	newEmail: 'grace@example.net',
	code: '012345',
	token: TOKEN,
	callbackUrl: null,
	stage: 'completed',
	lifetime: 600,
	at: new Date('2026-11-20T21:39:54Z'),
	purgeAt: new Date('2026-12-20T21:39:54Z'),
	device: { ipAddress: '203.0.113.7', userAgent: 'curl/8.9.1' },
	hasKey: true,
	oldEmail: 'ada@example.com',
	undoToken: TOKEN,
	undoUntil: new Date('2026-11-27T21:39:54Z')
} satisfies Readonly<Record<FieldsOf<OutgoingEmail>, unknown>>;

export const sampleMail = (kind: OutgoingEmail['kind']): OutgoingEmail =>
	// Fields of one name have values that each email accepts.
	({ ...sample, kind }) as unknown as OutgoingEmail;

/** What grants access. An email that has one of these is worthless without it. */
export const SECRETS: readonly (readonly [name: string, value: string])[] = [
	['code', sample.code],
	['link', sample.token]
];
