import type { z } from 'zod';
import type { challengeShape, sessionShape, userShape } from './shapes.ts';

// One person for all examples in the document.

export const exampleUser: z.infer<typeof userShape> = {
	id: '019a9d3e-7c1b-7a54-9d1f-3f6c2b8e4a10',
	name: 'Ada',
	email: 'ada@example.com',
	emailVerified: true,
	image: null,
	createdAt: '2026-11-19T08:30:00.000Z',
	updatedAt: '2026-11-19T08:30:00.000Z'
};

export const exampleSession: z.infer<typeof sessionShape> = {
	id: '019a9d3e-7c2f-7b8e-8a61-5d0e4c7f9b32',
	token: '019a9d3e-7c2f-7b8e-8a61-5d0e4c7f9b32',
	userId: exampleUser.id,
	expiresAt: '2027-01-18T08:30:00.000Z',
	createdAt: '2026-11-19T08:30:00.000Z',
	updatedAt: '2026-11-19T08:30:00.000Z',
	ipAddress: '203.0.113.7',
	userAgent: 'curl/8.14.1'
};

export const exampleToken = 'Zk3vQ8xN1mT5rL0pW7yB2dH9sJ4cF6gA_uEiOoKtXqM';
export const exampleCode = '123456';
export const examplePurgeAt = '2026-12-19T08:30:00.000Z';
export const exampleUndoPath =
	'/auth/undo-email-change/019a9d3e-7c3d-7c4f-9e02-6a1b5d8c2f47.Zk3vQ8xN1mT5rL0pW7yB2dH9sJ4cF6gA_uEiOoKtXqM';
export const exampleUndoUntil = '2026-11-26T08:30:00.000Z';
export const examplePuzzle: z.infer<typeof challengeShape> = {
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
