import { z } from 'zod';
import type { User } from '#lib/domain/user.ts';
import { date, id } from './fields.ts';

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

export const exampleUser: z.infer<typeof userShape> = {
	id: '019a9d3e-7c1b-7a54-9d1f-3f6c2b8e4a10',
	name: 'Ada',
	email: 'ada@example.com',
	emailVerified: true,
	image: null,
	createdAt: '2026-11-19T08:30:00.000Z',
	updatedAt: '2026-11-19T08:30:00.000Z'
};

export const wireUser = (user: User): z.infer<typeof userShape> => ({
	id: user.id,
	name: user.name,
	email: user.email,
	emailVerified: user.emailVerified,
	image: user.image,
	createdAt: user.createdAt.toISOString(),
	updatedAt: user.updatedAt.toISOString()
});
