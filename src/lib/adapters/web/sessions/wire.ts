import { z } from 'zod';
import { MAX_USER_AGENT } from '#lib/domain/client.ts';
import type { SessionId } from '#lib/domain/ids.ts';
import type { Session } from '#lib/domain/sessions/ports.ts';
import type { ListedDevice } from '#lib/domain/sessions/use-cases.ts';
import type { User } from '#lib/domain/user.ts';
import { describeDevice } from '#lib/device-name.ts';
import { date } from '../api/fields.ts';

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
			.max(MAX_USER_AGENT)
			.describe(
				`The \`User-Agent\` of the sign-in, cut after ${MAX_USER_AGENT} characters. May be empty.`
			)
	})
	.meta({ id: 'Session', description: 'One sign-in of one device.' });

export const deviceShape = z
	.object({
		name: z.string().describe('Browser and system in English, such as Safari on iPhone.'),
		current: z.boolean().describe('Whether this call comes from the device.'),
		lastActiveAt: date('Its last sign-in, or the last refresh of one of its sessions.'),
		sessions: z
			.array(sessionShape)
			.describe('Its sessions, the last used first. None if the device signed out.')
	})
	.meta({ id: 'Device', description: 'A browser or program in which the account signed in.' });

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

export const wireUser = (user: User): z.infer<typeof userShape> => ({
	id: user.id,
	name: user.name,
	email: user.email,
	emailVerified: user.emailVerified,
	image: user.image,
	createdAt: user.createdAt.toISOString(),
	updatedAt: user.updatedAt.toISOString()
});

/**
 * A session in the form of the JSON API. `token` is a handle that identifies the session in other
 * calls. It is not a credential: the store keeps only a hash of that.
 */
export const wireSession = (session: Session): z.infer<typeof sessionShape> => ({
	id: session.id,
	token: session.id,
	userId: session.userId,
	expiresAt: session.expiresAt.toISOString(),
	createdAt: session.createdAt.toISOString(),
	updatedAt: session.updatedAt.toISOString(),
	ipAddress: session.ipAddress,
	userAgent: session.userAgent
});

export const wireDevice = (
	{ userAgent, usedAt, sessions }: ListedDevice,
	current: SessionId
): z.infer<typeof deviceShape> => ({
	name: describeDevice(userAgent),
	current: sessions.some(({ id }) => id === current),
	lastActiveAt: usedAt.toISOString(),
	sessions: sessions.map(wireSession)
});
