import type { z } from 'zod';
import type { Session } from '#lib/domain/sessions/session.ts';
import type { User } from '#lib/domain/account/user.ts';
import type { sessionShape, userShape } from './shapes.ts';
import { keepText } from './json-response.ts';

/** A user as the JSON API shows it. */
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
 * A session as the JSON API shows it. `token` is a handle: it names the session in other calls and
 * is useless as a credential, for which there is only a hash.
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

const shown = new WeakMap<Session, { readonly user: User; readonly wire: WireSignedIn }>();

/**
 * Who asks, as the JSON API shows it. The same who are kept in memory ask again and again, so it is
 * made and written once for them.
 */
export const wireSignedIn = (user: User, session: Session): WireSignedIn => {
	const known = shown.get(session);
	if (known?.user === user) return known.wire;
	const wire = keepText(
		Object.freeze({
			session: Object.freeze(wireSession(session)),
			user: Object.freeze(wireUser(user))
		})
	);
	shown.set(session, { user, wire });
	return wire;
};
