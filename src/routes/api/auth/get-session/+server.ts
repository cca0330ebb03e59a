import { getSession } from '#lib/adapters/web/api/session.ts';
import { endpoint, onlyMethods } from '#lib/adapters/web/endpoint.ts';
import { wireSignedIn } from '#lib/adapters/web/wire.ts';
import { ok } from '#lib/domain/result.ts';

export const GET = endpoint(getSession, (_event, { session, user }) =>
	ok(session && user && wireSignedIn(user, session))
);

export const fallback = onlyMethods(getSession);
