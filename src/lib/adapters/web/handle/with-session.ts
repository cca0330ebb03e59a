import type { RequestEvent } from '@sveltejs/kit';
import type { Handle } from '@sveltejs/kit/hooks';
import type { CurrentSession } from '#lib/domain/use-cases/read-session.ts';
import { isApiPath, isPublic } from '../access.ts';
import { bearerToken } from '../bearer.ts';
import { logFault } from '../faults.ts';

/** Finds out who asks: a valid bearer wins over the cookie, an invalid one falls back to it. */
export const withSession: Handle = async ({ event, resolve }) => {
	try {
		const current = await currentSession(event);
		event.locals.user = current?.user ?? null;
		event.locals.session = current?.session ?? null;
	} catch (error) {
		// A public page is worth showing without knowing who looks; everything else fails closed.
		if (isApiPath(event.url.pathname) || !isPublic(event.route.id, event.url.pathname)) throw error;
		logFault(event, error);
	}
	return resolve(event);
};

const currentSession = async (event: RequestEvent): Promise<CurrentSession | null> => {
	const { app, authCookies } = event.locals;
	const mayRefresh = event.url.searchParams.get('disableRefresh') !== 'true';

	const bearer = bearerToken(event.request.headers.get('authorization'));
	const byBearer = bearer && (await app.readSession({ token: bearer, mayRefresh }));
	if (byBearer) return byBearer;

	const token = authCookies.sessionToken();
	const byCookie = token && (await app.readSession({ token, mayRefresh }));
	if (token && byCookie?.refreshed) {
		authCookies.setSession(token, byCookie.session.expiresAt, app.clock.now());
	}
	return byCookie;
};
