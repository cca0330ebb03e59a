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
		id: id('Never changes, and is never given to another account.'),
		name: z.string().describe('As the person wrote it; may be empty.'),
		email: z
			.string()
			.max(254)
			.describe('In its one canonical form: lower case, the domain in ASCII. Unique.'),
		emailVerified: z
			.boolean()
			.describe(
				'Always true: an account exists only after a code sent to its address was entered.'
			),
		image: z.string().nullable().describe('Address of a picture, as it was given.'),
		createdAt: date('When the account was created.'),
		updatedAt: date('When it last changed.')
	})
	.meta({ id: 'User', description: 'An account.' });

export const sessionShape = z
	.object({
		id: id('Names the session.'),
		token: z
			.string()
			.describe(
				'A handle of the session, good for revoking it and useless as a credential. The credential itself is shown once, in the answer to a sign-in.'
			),
		userId: id('The account it belongs to.'),
		expiresAt: date('When it ends unless it is used before; using it moves this, at most daily.'),
		createdAt: date('When it was opened.'),
		updatedAt: date('When it was last prolonged.'),
		ipAddress: z.string().describe('Where it was opened, as far as the connection told.'),
		userAgent: z
			.string()
			.max(512)
			.describe('What the client called itself then; cut after 512 characters, may be empty.')
	})
	.meta({ id: 'Session', description: 'One sign-in of one device.' });

export const errorShape = z
	.object({
		message: z.string().describe('In plain English, for logs. Do not match on it.'),
		code: z
			.string()
			.regex(/^[A-Z_]+$/)
			.describe('What to match on.'),
		purgeAt: date('Only with ACCOUNT_DELETED: until when the account can be restored.').optional()
	})
	.meta({ id: 'Error', description: 'What every refused or failed call is answered with.' });

/** The credential of a session, where a response contains it. */
export const tokenShape = z
	.string()
	.regex(/^[A-Za-z0-9_-]{43}$/)
	.describe('The credential of the session: 43 characters, shown only here.');

export const successShape = z.object({ success: z.literal(true) });
export const statusShape = z.object({ status: z.literal(true) });
