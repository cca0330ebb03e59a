import type { z } from 'zod';
import type { Session } from '#lib/domain/sessions/ports.ts';
import type { User } from '#lib/domain/user.ts';
import type { sessionShape, userShape } from './shapes.ts';

/** A user in the form of the JSON API. */
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

interface WireSignedIn {
	readonly session: z.infer<typeof sessionShape>;
	readonly user: z.infer<typeof userShape>;
}

/** The session and its user in the form of the JSON API. */
export const wireSignedIn = (user: User, session: Session): WireSignedIn => ({
	session: wireSession(session),
	user: wireUser(user)
});
