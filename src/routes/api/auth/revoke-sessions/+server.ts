import { revokeSessions } from '#lib/adapters/web/sessions/operations.ts';
import { clearSession } from '#lib/adapters/web/sessions/session-response.ts';
import { endpoint } from '#lib/adapters/web/api/endpoint.ts';
import { logEvent } from '#lib/adapters/web/http/log-event.ts';
import { ok } from '#lib/domain/errors.ts';

export const { POST, fallback } = endpoint(revokeSessions, async (event, { user }) => {
	const ended = await event.locals.app.endSessionsExcept(user.id, null);
	logEvent(event, 'signed_out_everywhere', { sessions: ended.length });
	clearSession(event);
	return ok({ status: true });
});
