import { revokeSession } from '#lib/adapters/web/sessions/operations.ts';
import { clearSession } from '#lib/adapters/web/sessions/session-response.ts';
import { endpoint } from '#lib/adapters/web/api/endpoint.ts';
import { logEvent } from '#lib/adapters/web/http/log-event.ts';
import { ok } from '#lib/domain/errors.ts';
import { parseSessionId } from '#lib/domain/ids.ts';

/** The response is the same for a handle that is unknown or belongs to another account. */
export const { POST, fallback } = endpoint(
	revokeSession,
	async (event, { body, user, session }) => {
		const id = parseSessionId(body.token);
		const ended = id && (await event.locals.app.endSessionById(user.id, id));
		if (ended !== null) {
			logEvent(event, 'signed_out', { session: ended });
			if (ended === session.id) clearSession(event);
		}
		return ok({ status: true });
	}
);
