import { endpoint, onlyMethods } from '#lib/adapters/web/endpoint.ts';
import { wireSession, wireUser } from '#lib/adapters/web/wire.ts';

export const GET = endpoint(({ locals: { session, user } }) =>
	Response.json(session && user && { session: wireSession(session), user: wireUser(user) })
);

export const fallback = onlyMethods('GET', 'HEAD');
