import { z } from 'zod';
import type { UndoToken } from '#lib/domain/signed-links.ts';
import { undoPath } from '#lib/emailed-paths.ts';
import { date } from '../fields.ts';

const hex = (characters: number, description: string): z.ZodString =>
	z
		.string()
		.regex(new RegExp(`^[0-9a-f]{${characters}}$`))
		.describe(description);

const puzzleShape = z
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
			.describe('The task.'),
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
		challenge: puzzleShape
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

const puzzle: z.infer<typeof puzzleShape> = {
	parameters: {
		algorithm: 'PBKDF2/SHA-256',
		cost: 2000,
		data: {
			binding: 'WvG7sT1nQkX2bYp5cJ8dLr0eMh3fUa6iOzK9xwBtqEs',
			expiresAt: '2026-11-19T08:35:00.000Z'
		},
		keyLength: 32,
		keyPrefix: '0'.repeat(32),
		keySignature: '1'.repeat(64),
		nonce: '2'.repeat(32),
		salt: '3'.repeat(32)
	},
	signature: '4'.repeat(64)
};
const undoToken =
	'019a9d3e-7c3d-7c4f-9e02-6a1b5d8c2f47.Zk3vQ8xN1mT5rL0pW7yB2dH9sJ4cF6gA_uEiOoKtXqM' as string;

/** The fields of an error besides message and code, by error code. */
export const exampleFields: Readonly<Record<string, Partial<z.infer<typeof errorShape>>>> = {
	ACCOUNT_DELETED: { purgeAt: '2026-12-19T08:30:00.000Z' },
	ADDRESS_RESERVED: {
		undoPath: undoPath(undoToken as UndoToken),
		undoUntil: '2026-11-26T08:30:00.000Z'
	},
	CHALLENGE_REQUIRED: { challenge: puzzle }
};
