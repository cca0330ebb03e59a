import type { RequestEvent } from '@sveltejs/kit';
import { isDueForRefresh, type SignedIn } from '#lib/domain/sessions/session.ts';
import type { RouteRules } from '../rules/derive-rules.ts';
import { isPublic } from '../security/public-routes.ts';
import { bearerToken, type Credential } from '../sessions/credential.ts';
import { logFault } from '../errors/unexpected.ts';
import type { SeenSession } from '../sessions/freshness.ts';

/**
 * Fills in `locals.user`, `locals.session` and `locals.credential`. A valid bearer token wins over
 * the cookie; if the bearer token is invalid, the cookie is used.
 */
export const loadSession = async (event: RequestEvent): Promise<void> => {
	const { request, locals } = event;
	try {
		const bearer = bearerToken(request.headers.get('authorization'));
		let credential: Credential | null = bearer && { kind: 'bearer', token: bearer };
		let found = credential && (await signedInWith(event, credential));
		if (found === null) {
			const token = locals.authCookies.sessionToken();
			credential = token && { kind: 'cookie', token };
			found = credential && (await signedInWith(event, credential));
		}
		if (found === null) return;
		locals.user = found.user;
		locals.session = found.session;
		locals.credential = credential;
	} catch (error) {
		// Public pages are served even if the session cannot be loaded. All other routes fail closed.
		const { isApi, isRemote, routeId, pathname } = locals.target;
		const { signInLayout } = locals.app.config;
		if (isApi || isRemote || !isPublic(routeId, pathname, signInLayout)) throw error;
		logFault(event, error);
	}
};

/** The session of a token: from a cache if this request may use one, otherwise from the store. */
const signedInWith = (
	event: RequestEvent,
	credential: Credential
): SignedIn | null | Promise<SignedIn | null> => {
	const { request, url, locals } = event;
	const mayUseCache = mayUseSessionCache(request.method, locals.rules, url);
	return (mayUseCache ? fromCache(locals, credential) : null) ?? fromStore(event, credential);
};

/**
 * Whether a request may use a session cache. State-changing requests and routes with sensitive data
 * never do. Query parameters cannot enable the cache on such a route.
 */
export const mayUseSessionCache = (
	method: string,
	{ skipsSessionCache }: Pick<RouteRules, 'skipsSessionCache'>,
	url: URL
): boolean =>
	(method === 'GET' || method === 'HEAD') &&
	(url.search === '' || url.searchParams.get('disableCookieCache') !== 'true') &&
	!skipsSessionCache;

/** Reads the cache of this process, then that of the browser, which only a cookie comes with. */
const fromCache = (
	{ app, authCookies }: App.Locals,
	{ kind, token }: Credential
): SignedIn | null => {
	const now = app.clock.now();
	const kept = app.processCache.get(token, now);
	if (isUsable(app, kept, now)) return kept;
	const sealed = kind === 'cookie' ? authCookies.cache() : null;
	const seen = sealed === null ? null : app.cookieCache.read(sealed, token, now);
	if (!isUsable(app, seen, now)) return null;
	app.processCache.set(token, seen);
	return seen;
};

/**
 * Whether a cache entry still matches the store and the session is not due for a refresh, which
 * would need a write.
 */
const isUsable = (
	{ freshness, policy }: App.Locals['app'],
	seen: SeenSession | null,
	now: Date
): seen is SeenSession =>
	seen !== null && freshness.isFresh(seen) && !isDueForRefresh(seen.session, now, policy);

/** Queries the store, and caches what it returns. */
const fromStore = async (
	event: RequestEvent,
	{ kind, token }: Credential
): Promise<SignedIn | null> => {
	const { app, authCookies } = event.locals;
	const mayRefresh = event.url.searchParams.get('disableRefresh') !== 'true';
	const [readAt, tick] = [app.clock.now(), app.monotonic()];
	const found = await app.readSession({ token, mayRefresh });
	if (found === null) return null;
	const { user, session, refreshed } = found;
	const seen = { user, session, readAt, tick };
	app.processCache.set(token, seen);
	if (kind === 'cookie') {
		if (refreshed) authCookies.setSession(token, session.expiresAt, readAt);
		authCookies.setCache(app.cookieCache.write(token, seen));
	}
	return seen;
};
