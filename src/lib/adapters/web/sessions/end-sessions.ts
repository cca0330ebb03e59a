import type { RequestEvent } from '@sveltejs/kit';
import { logEvent } from '../http/log-event.ts';
import { presentedKeyOfBrowser } from '../edge/client.ts';
import { requireSession } from '../edge/require-user.ts';
import { bearerToken } from '../http/request-headers.ts';
import { clearSession } from './session-response.ts';

/** Ends every session of the user on one of their devices, and forgets it. Returns how many ended. */
export const endDeviceByHandle = async (event: RequestEvent, handle: string): Promise<number> => {
	const { user, session } = requireSession(event);
	const ended = await event.locals.app.endDevice(user.id, session.id, handle);
	for (const one of ended) logEvent(event, 'signed_out', { session: one });
	if (ended.includes(session.id)) clearSession(event);
	return ended.length;
};

export const endOthers = async (event: RequestEvent): Promise<void> => {
	const { user, session } = requireSession(event);
	const ended = await event.locals.app.endSessionsExcept(user.id, session.id);
	logEvent(event, 'signed_out_others', { sessions: ended.length });
};

/**
 * Forgets the email address that this browser's sign-in pages offer, and ends the sessions of the
 * bearer token and of the cookie. Then clears the cookies and the data that pages stored in the
 * browser. Other cookies stay, because other applications may use the same host.
 */
export const signOutBrowser = async (event: RequestEvent): Promise<void> => {
	const { app, ownCookies } = event.locals;
	await app.forgetLastEmail(presentedKeyOfBrowser(event));
	const bearer = bearerToken(event.request.headers.get('authorization'));
	const cookie = ownCookies.get('sessionToken');
	for (const token of new Set([bearer, cookie])) {
		const ended = token && (await app.endSessionByToken(token));
		if (ended) logEvent(event, 'signed_out', { session: ended });
	}
	clearSession(event);
};
