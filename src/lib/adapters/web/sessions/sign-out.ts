import type { RequestEvent } from '@sveltejs/kit';
import { bearerToken } from '../http/credential.ts';
import { forgetSession } from './session-response.ts';
import { logEvent } from '../http/log-event.ts';

/**
 * Ends the sessions of the bearer token and of the cookie, then clears the cookies and the data that
 * pages stored in the browser. Other cookies stay, because other applications may use the same host.
 */
export const signOut = async (event: RequestEvent): Promise<void> => {
	const { app, authCookies } = event.locals;
	const bearer = bearerToken(event.request.headers.get('authorization'));
	const cookie = authCookies.sessionToken();
	for (const token of new Set([bearer, cookie])) {
		const ended = token && (await app.endSession(token));
		if (!ended) continue;
		logEvent(event, 'signed_out', { session: ended });
	}
	forgetSession(event);
};
