import { endpoint, onlyMethods } from '#lib/adapters/web/endpoint.ts';
import { requireUser } from '#lib/adapters/web/require-user.ts';
import { wireSession } from '#lib/adapters/web/wire.ts';

export const GET = endpoint(async (event) => {
	const sessions = await event.locals.app.sessionsOf.list(requireUser(event).id);
	return Response.json(sessions.map(wireSession));
});

export const fallback = onlyMethods('GET', 'HEAD');
