import type { RequestEvent } from '@sveltejs/kit';
import type { SessionToken } from '#lib/domain/secret.ts';
import { isDueForRefresh, type SignedIn } from '#lib/domain/sessions/session.ts';
import type { CurrentSession, ReadSessionInput } from '#lib/domain/sessions/read-session.ts';
import { isPublic } from '../security/public-routes.ts';
import { rulesOf } from '../rules/route-rules.ts';
import { bearerToken, type Credential } from '../sessions/credential.ts';
import { logFault } from '../errors/unexpected.ts';
import type { SeenSession } from '../sessions/freshness.ts';
import type { Check } from './run-checks.ts';

/**
 * Loads the session of a request. A valid bearer token wins over the cookie; if the bearer token is
 * invalid, the cookie is used.
 */
export const loadSession: Check = (event) => {
	const { request, url, locals } = event;
	const bearer = bearerToken(request.headers.get('authorization'));
	const credential =
		bearer === null ? cookieOf(locals) : { kind: 'bearer' as const, token: bearer };
	if (credential === null) return null;
	const trusting = mayTrustCache(request.method, locals.target.routeId, url);
	const known = trusting ? fromProcessCache(locals, credential.token) : null;
	if (known === null) return queryStore(event, bearer, trusting);
	attachSession(locals, known, credential);
	return null;
};

/**
 * Whether a request may use a session cache. State-changing requests and routes with sensitive data
 * never do. Query parameters cannot enable the cache on such a route.
 */
export const mayTrustCache = (method: string, routeId: string | null, url: URL): boolean =>
	(method === 'GET' || method === 'HEAD') &&
	(url.search === '' || url.searchParams.get('disableCookieCache') !== 'true') &&
	!rulesOf(routeId).readsStore;

const cookieOf = ({ authCookies }: App.Locals): Credential | null => {
	const token = authCookies.sessionToken();
	return token === null ? null : { kind: 'cookie', token };
};

const attachSession = (
	locals: App.Locals,
	{ user, session }: SignedIn,
	credential: Credential
): void => {
	locals.user = user;
	locals.session = session;
	locals.credential = credential;
};

const queryStore = async (
	event: RequestEvent,
	bearer: SessionToken | null,
	trusting: boolean
): Promise<null> => {
	const { locals } = event;
	try {
		const byBearer = bearer && (await read(event, bearer));
		if (byBearer) {
			attachSession(locals, byBearer, { kind: 'bearer', token: bearer });
			return null;
		}
		const token = locals.authCookies.sessionToken();
		if (token === null) return null;
		const found =
			(trusting && (fromProcessCache(locals, token) ?? fromCookieCache(locals, token))) ||
			(await fromStore(event, token));
		if (found) attachSession(locals, found, { kind: 'cookie', token });
		return null;
	} catch (error) {
		// Public pages are served even if the session cannot be loaded. All other routes fail closed.
		const { isApi, isRemote, routeId, pathname } = locals.target;
		const { signInLayout } = locals.app.config;
		if (isApi || isRemote || !isPublic(routeId, pathname, signInLayout)) throw error;
		logFault(event, error);
		return null;
	}
};

/** Returns null if the browser's cache or the store has to be read instead. */
const fromProcessCache = ({ app }: App.Locals, token: SessionToken): SignedIn | null => {
	const now = app.clock.now();
	return ifFresh(app, app.sessionMemory.get(token, now), now);
};

const fromCookieCache = (
	{ app, authCookies }: App.Locals,
	token: SessionToken
): SignedIn | null => {
	const sealed = authCookies.cache();
	if (sealed === null) return null;
	const now = app.clock.now();
	const seen = ifFresh(app, app.sessionCache.read(sealed, token, now), now);
	if (seen !== null) app.sessionMemory.set(token, seen);
	return seen;
};

/**
 * Returns a cache entry only if it is still fresh and the session is not due for a refresh, which
 * would need a write.
 */
const ifFresh = (
	{ freshness, policy }: App.Locals['app'],
	seen: SeenSession | null,
	now: Date
): SeenSession | null =>
	seen !== null && freshness.isFresh(seen) && !isDueForRefresh(seen.session, now, policy)
		? seen
		: null;

const fromStore = async (event: RequestEvent, token: SessionToken): Promise<SignedIn | null> => {
	const { app, authCookies } = event.locals;
	const found = await read(event, token, { deviceKey: authCookies.deviceKey() });
	if (found === null) return null;
	if (found.newDeviceKey !== null) authCookies.setDeviceKey(found.newDeviceKey);
	if (found.refreshed) authCookies.setSession(token, found.session.expiresAt, found.readAt);
	authCookies.setCache(app.sessionCache.write(token, found));
	return found;
};

const read = async (
	event: RequestEvent,
	token: SessionToken,
	browser: Pick<ReadSessionInput, 'deviceKey'> = {}
): Promise<(SeenSession & Pick<CurrentSession, 'refreshed' | 'newDeviceKey'>) | null> => {
	const { app } = event.locals;
	const mayRefresh = event.url.searchParams.get('disableRefresh') !== 'true';
	const [readAt, tick] = [app.clock.now(), app.monotonic()];
	const found = await app.readSession({ token, mayRefresh, ...browser });
	if (found === null) return null;
	const { user, session, refreshed, newDeviceKey } = found;
	app.sessionMemory.set(token, { user, session, readAt, tick });
	return { user, session, refreshed, newDeviceKey, readAt, tick };
};
