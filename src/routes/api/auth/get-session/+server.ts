import { getSession, wireSession } from '#lib/adapters/web/sessions/operations.ts';
import { wireUser } from '#lib/adapters/web/api/user.ts';
import { endpoint } from '#lib/adapters/web/api/endpoint.ts';
import { ok } from '#lib/domain/errors.ts';

export const { GET, fallback } = endpoint(getSession, (_event, { session, user }) =>
	ok(session && user && { session: wireSession(session), user: wireUser(user) })
);
