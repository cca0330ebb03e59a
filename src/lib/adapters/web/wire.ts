import type { z } from 'zod';
import type { Session } from '#lib/domain/session.ts';
import type { User } from '#lib/domain/user.ts';
import type { sessionShape, userShape } from './api/shapes.ts';

/** Written out once for each value: the same ones, kept in memory, are asked for again and again. */
const once = <T extends object, W>(write: (value: T) => W): ((value: T) => W) => {
	const written = new WeakMap<T, W>();
	return (value) => {
		const known = written.get(value);
		if (known !== undefined) return known;
		const fresh = write(value);
		written.set(value, fresh);
		return fresh;
	};
};

/** A user as the JSON API shows it. */
export const wireUser = once((user: User): z.infer<typeof userShape> => ({
	id: user.id,
	name: user.name,
	email: user.email,
	emailVerified: user.emailVerified,
	image: user.image,
	createdAt: user.createdAt.toISOString(),
	updatedAt: user.updatedAt.toISOString()
}));

/**
 * A session as the JSON API shows it. `token` is a handle: it names the session in other calls and
 * is useless as a credential, for which there is only a hash.
 */
export const wireSession = once((session: Session): z.infer<typeof sessionShape> => ({
	id: session.id,
	token: session.id,
	userId: session.userId,
	expiresAt: session.expiresAt.toISOString(),
	createdAt: session.createdAt.toISOString(),
	updatedAt: session.updatedAt.toISOString(),
	ipAddress: session.ipAddress,
	userAgent: session.userAgent
}));
