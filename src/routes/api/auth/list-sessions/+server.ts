import { listSessions, wireSession } from '#lib/adapters/web/sessions/operations.ts';
import { endpoint } from '#lib/adapters/web/api/endpoint.ts';
import { ok } from '#lib/domain/errors.ts';

export const { GET, fallback } = endpoint(listSessions, async (event, { user }) => {
	const sessions = await event.locals.app.listSessions(user.id);
	return ok(sessions.map(wireSession));
});
