import { z } from 'zod';

/** ISO 8601 in UTC with milliseconds, like every date in a response. */
const date = (description: string): z.ZodString =>
	z
		.string()
		.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
		.meta({ format: 'date-time', description });

const id = (description: string): z.ZodString => z.string().meta({ format: 'uuid', description });

export const userShape = z
	.object({
		id: id('Never changes, and is never reused for another account.'),
		name: z.string().describe('As the person entered it. May be empty.'),
		email: z
			.string()
			.max(254)
			.describe('In canonical form: lower case, with the domain in ASCII. Unique.'),
		emailVerified: z
			.boolean()
			.describe(
				'Always true: an account is created only after a code sent to its email address was entered.'
			),
		image: z.string().nullable().describe('URL of a picture, as it was given.'),
		createdAt: date('When the account was created.'),
		updatedAt: date('When the account last changed.')
	})
	.meta({ id: 'User', description: 'An account.' });

export const sessionShape = z
	.object({
		id: id('Identifies the session.'),
		token: z
			.string()
			.describe(
				'A handle with which the session can be revoked. It is not a credential: the credential is shown only once, in the response to the sign-in.'
			),
		userId: id('The account of the session.'),
		expiresAt: date(
			'When the session expires if it is not used. Using it postpones this, at most once a day.'
		),
		createdAt: date('When the session was created.'),
		updatedAt: date('When the session was last refreshed.'),
		ipAddress: z
			.string()
			.describe('The IP address of the sign-in, as far as the connection shows it.'),
		userAgent: z
			.string()
			.max(512)
			.describe('The `User-Agent` of the sign-in, cut after 512 characters. May be empty.')
	})
	.meta({ id: 'Session', description: 'One sign-in of one device.' });

const hex = (characters: number, description: string): z.ZodString =>
	z
		.string()
		.regex(new RegExp(`^[0-9a-f]{${characters}}$`))
		.describe(description);

export const challengeShape = z
	.object({
		parameters: z
			.object({
				algorithm: z.literal('PBKDF2/SHA-256'),
				cost: z.int().positive().describe('The iterations of PBKDF2.'),
				data: z
					.record(z.string(), z.string())
					.describe('What the challenge is valid for, and when it expires.'),
				keyLength: z.int().positive().describe('The bytes of a derived key.'),
				keyPrefix: hex(32, 'The derived key of the solution starts with it.'),
				keySignature: hex(64, 'For the server.'),
				nonce: hex(32, 'The password starts with it.'),
				salt: hex(32, 'The salt.')
			})
			.describe('The puzzle.'),
		signature: hex(64, 'For the server.')
	})
	.meta({
		id: 'Challenge',
		description:
			'A proof-of-work challenge of ALTCHA 2. Find the counter, from 0, for which the PBKDF2 key of the password `nonce` + counter (four bytes, big-endian) and the salt starts with `keyPrefix`.'
	});

export const errorShape = z
	.object({
		message: z.string().describe('A text in English for logs. Do not compare it in code.'),
		code: z
			.string()
			.regex(/^[A-Z_]+$/)
			.describe('The error code to compare in code.'),
		challenge: challengeShape
			.optional()
			.describe('Only with CHALLENGE_REQUIRED: the challenge to solve.'),
		purgeAt: date(
			'Only with ACCOUNT_DELETED: when the account is permanently deleted. It can be restored until then.'
		).optional(),
		undoPath: z
			.string()
			.optional()
			.describe('Only with ADDRESS_RESERVED: the page on this site that undoes the change.'),
		undoUntil: date('Only with ADDRESS_RESERVED: until when the change can be undone.').optional()
	})
	.meta({ id: 'Error', description: 'The response to every refused or failed call.' });

/** The credential of a session, where a response contains it. */
export const tokenShape = z
	.string()
	.regex(/^[A-Za-z0-9_-]{43}$/)
	.describe('The credential of the session: 43 characters, shown only here.');

export const successShape = z.object({ success: z.literal(true) });
export const statusShape = z.object({ status: z.literal(true) });
