import { z } from 'zod';
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
