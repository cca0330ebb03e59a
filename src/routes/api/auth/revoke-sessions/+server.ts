import { revokeSessions } from '#lib/adapters/web/sessions/operations.ts';
import { endAllSessions } from '#lib/adapters/web/sessions/end-sessions.ts';
import { endpoint, onlyMethods } from '#lib/adapters/web/api/endpoint.ts';
import { ok } from '#lib/domain/errors.ts';

export const POST = endpoint(revokeSessions, async (event) => {
	await endAllSessions(event);
	return ok({ status: true });
});

export const fallback = onlyMethods(revokeSessions);
