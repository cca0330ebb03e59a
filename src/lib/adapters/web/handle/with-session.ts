import type { RequestEvent } from '@sveltejs/kit';
import type { Handle } from '@sveltejs/kit/hooks';
import type { SessionToken } from '#lib/domain/secret.ts';
import { isDueForRefresh, type SignedIn } from '#lib/domain/session.ts';
import { isApiPath, isPublic, mayTrustCache } from '../access.ts';
import { bearerToken } from '../bearer.ts';
import type { Credential } from '../credential.ts';
import { logFault } from '../faults.ts';

/** Finds out who asks: a valid bearer wins over the cookie, an invalid one falls back to it. */
export const withSession: Handle = async ({ event, resolve }) => {
	try {
		const current = await currentSession(event);
		event.locals.user = current?.user ?? null;
		event.locals.session = current?.session ?? null;
		event.locals.credential = current?.credential ?? null;
	} catch (error) {
		// A public page is worth showing without knowing who looks; everything else fails closed.
		const { pathname } = event.url;
		const { entry } = event.locals.app.config;
		if (isApiPath(pathname) || !isPublic(event.route.id, pathname, entry)) throw error;
		logFault(event, error);
	}
	return resolve(event);
};

const currentSession = async (
	event: RequestEvent
): Promise<(SignedIn & { credential: Credential }) | null> => {
	const { app, authCookies } = event.locals;
	const mayRefresh = event.url.searchParams.get('disableRefresh') !== 'true';
	const bearer = bearerToken(event.request.headers.get('authorization'));
	const byBearer = bearer && (await app.readSession({ token: bearer, mayRefresh }));
	if (byBearer) return { ...byBearer, credential: { kind: 'bearer', token: bearer } };
	const token = authCookies.sessionToken();
	const found = token && (byCache(event, token) ?? (await byCookie(event, token, mayRefresh)));
	return found && token && { ...found, credential: { kind: 'cookie', token } };
};

/** Null sends the question to the store. */
const byCache = (event: RequestEvent, token: SessionToken): SignedIn | null => {
	const { app, authCookies } = event.locals;
	const sealed = authCookies.cache();
	if (sealed === null || !mayTrustCache(event.request.method, event.route.id, event.url))
		return null;
	const now = app.clock.now();
	const cached = app.sessionCache.read(sealed, token, now);
	if (cached === null || !app.freshness.isFresh(cached)) return null;
	return isDueForRefresh(cached.session, now, app.policy) ? null : cached;
};

const byCookie = async (
	event: RequestEvent,
	token: SessionToken,
	mayRefresh: boolean
): Promise<SignedIn | null> => {
	const { app, authCookies } = event.locals;
	const readAt = app.clock.now();
	const found = await app.readSession({ token, mayRefresh });
	if (found === null) return null;
	if (found.refreshed) authCookies.setSession(token, found.session.expiresAt, readAt);
	authCookies.setCache(app.sessionCache.write(token, { ...found, readAt }));
	return found;
};
