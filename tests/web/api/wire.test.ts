import { expect, test } from 'vitest';
import { wireSession, wireSignedIn, wireUser } from '#lib/adapters/web/sessions/wire.ts';
import { aSession, aUser } from '../../support/domain/builders.ts';

const [user, session] = [aUser(), aSession()];

test('the session and its user are serialised as they are at each call', () => {
	expect(wireSignedIn(user, session)).toEqual({
		session: wireSession(session),
		user: wireUser(user)
	});
	const renamed = { ...user, name: 'Another name' };
	expect(wireSignedIn(renamed, session).user.name).toBe('Another name');
	const later = { ...session, expiresAt: new Date(session.expiresAt.getTime() + 1000) };
	expect(wireSignedIn(renamed, later)).toEqual({
		session: wireSession(later),
		user: wireUser(renamed)
	});
	expect(wireSignedIn(user, session).user).toEqual(wireUser(user));
});
