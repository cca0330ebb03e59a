import type { RequestEvent } from '@sveltejs/kit';
import { clientInfo } from '../http/credential.ts';
import { forgetSession } from '../sessions/session-response.ts';
import { logEvent } from '../http/log-event.ts';
import { requireUser } from '../edge/require-user.ts';

/**
 * Deletes the account of the signed-in user. Returns until when it can be restored, or null if it
 * was already deleted.
 */
export const deleteAccount = async (event: RequestEvent): Promise<Date | null> => {
	const user = requireUser(event);
	const deleted = await event.locals.app.deleteAccount({ user, client: clientInfo(event) });
	if (deleted !== null) logEvent(event, 'account_deleted', { sessions: deleted.ended.length });
	forgetSession(event);
	return deleted?.purgeAt ?? null;
};
