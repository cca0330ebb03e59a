import type { RequestEvent } from '@sveltejs/kit';
import { parseSessionId } from '#lib/domain/ids.ts';
import { forgetSession } from './session-response.ts';
import { logEvent } from '../http/log-event.ts';
import { requireSession } from '../edge/require-user.ts';

/**
 * Ends one session of the signed-in user, by its handle. Does nothing if the handle is unknown or
 * belongs to another account.
 */
export const endOne = async (event: RequestEvent, handle: string): Promise<void> => {
	const { user, session } = requireSession(event);
	const id = parseSessionId(handle);
	if (id === null || !(await event.locals.app.sessionsOf.end(user.id, id))) return;
	logEvent(event, 'signed_out', { session: id });
	if (id === session.id) forgetSession(event);
};

/** Ends all sessions except the current one. */
export const endOthers = async (event: RequestEvent): Promise<void> => {
	const { user, session } = requireSession(event);
	const ended = await event.locals.app.sessionsOf.endAll(user.id, session.id);
	logEvent(event, 'signed_out_others', { sessions: ended.length });
};

/** Ends all sessions, including the current one. */
export const endAll = async (event: RequestEvent): Promise<void> => {
	const { user } = requireSession(event);
	const ended = await event.locals.app.sessionsOf.endAll(user.id, null);
	logEvent(event, 'signed_out_everywhere', { sessions: ended.length });
	forgetSession(event);
};
