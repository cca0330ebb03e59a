import { listSessions } from '#lib/adapters/web/api/session.ts';
import { endpoint, onlyMethods } from '#lib/adapters/web/endpoint.ts';
import { wireSession } from '#lib/adapters/web/wire.ts';
import { ok } from '#lib/domain/result.ts';

export const GET = endpoint(listSessions, async (event, { user }) => {
	const sessions = await event.locals.app.sessionsOf.list(user.id);
	return ok(sessions.map(wireSession));
});

export const fallback = onlyMethods(listSessions);
