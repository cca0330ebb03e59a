import { getSession } from '#lib/adapters/web/sessions/operations.ts';
import { endpoint, onlyMethods } from '#lib/adapters/web/api/endpoint.ts';
import { wireSignedIn } from '#lib/adapters/web/sessions/wire.ts';
import { ok } from '#lib/domain/errors.ts';

export const GET = endpoint(getSession, (_event, { session, user }) =>
	ok(session && user && wireSignedIn(user, session))
);

export const fallback = onlyMethods(getSession);
