import type { RequestEvent } from '@sveltejs/kit';
import { bearerToken } from './bearer.ts';
import { forgetSession, voidCaches } from './session-response.ts';
import { record } from '../pipeline/log-event.ts';

/**
 * Ends the session of this request, whichever way its token came, and takes the cookie back. What
 * pages kept in the browser goes too; cookies of the host's other names are not ours to clear.
 */
export const signOut = async (event: RequestEvent): Promise<void> => {
	const { app, authCookies } = event.locals;
	const bearer = bearerToken(event.request.headers.get('authorization'));
	const cookie = authCookies.sessionToken();
	for (const token of new Set([bearer, cookie])) {
		const ended = token && (await app.endSession(token));
		if (!ended) continue;
		voidCaches(event, [ended]);
		record(event, 'signed_out', { session: ended });
	}
	forgetSession(event);
};
