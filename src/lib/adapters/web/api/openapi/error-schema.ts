import { z } from 'zod';
import type { ProofPuzzle } from '#lib/domain/proof/ports.ts';
import type { UndoToken } from '#lib/domain/signed-links.ts';
import { undoPath } from '#lib/emailed-paths.ts';
import type { WireCode } from '../../http/outcome.ts';
import { date } from '../fields.ts';

export const errorShape = z
	.object({
		message: z.string().describe('A text in English for logs. Do not compare it in code.'),
		code: z
			.string()
			.regex(/^[A-Z_]+$/)
			.describe('The error code to compare in code.'),
		challenge: z
			.looseObject({})
			.optional()
			.describe('Only with CHALLENGE_REQUIRED: the challenge to solve, in the format of ALTCHA 2.'),
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

const challenge = {
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
} satisfies ProofPuzzle;
const undoToken =
	'019a9d3e-7c3d-7c4f-9e02-6a1b5d8c2f47.Zk3vQ8xN1mT5rL0pW7yB2dH9sJ4cF6gA_uEiOoKtXqM' as string;

type ErrorFields = Partial<z.infer<typeof errorShape>>;

export const exampleFields = {
	ACCOUNT_DELETED: { purgeAt: '2026-12-19T08:30:00.000Z' },
	ADDRESS_RESERVED: {
		undoPath: undoPath(undoToken as UndoToken),
		undoUntil: '2026-11-26T08:30:00.000Z'
	},
	CHALLENGE_REQUIRED: { challenge }
} satisfies Partial<Record<WireCode, ErrorFields>> as Readonly<Record<string, ErrorFields>>;
