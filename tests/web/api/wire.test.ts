import { expect, test } from 'vitest';
import { wireSession, wireSignedIn, wireUser } from '#lib/adapters/web/api/serializers.ts';
import { aSession, aUser } from '../../support/domain/builders.ts';

const [user, session] = [aUser(), aSession()];

test('who asks again is written once, and nobody can change it', () => {
	const written = wireSignedIn(user, session);
	expect(written).toEqual({ session: wireSession(session), user: wireUser(user) });
	expect(wireSignedIn(user, session)).toBe(written);
	expect([written, written.session, written.user].every(Object.isFrozen)).toBe(true);
});

test('a user or a session that has been read anew is written anew', () => {
	wireSignedIn(user, session);
	const renamed = { ...user, name: 'Somebody else' };
	expect(wireSignedIn(renamed, session).user.name).toBe('Somebody else');
	const later = { ...session, expiresAt: new Date(session.expiresAt.getTime() + 1000) };
	expect(wireSignedIn(renamed, later)).toEqual({
		session: wireSession(later),
		user: wireUser(renamed)
	});
	expect(wireSignedIn(user, session).user).toEqual(wireUser(user));
});
