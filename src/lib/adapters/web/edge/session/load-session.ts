import type { RequestEvent } from '@sveltejs/kit';
import type { SignedIn } from '#lib/domain/sessions/ports.ts';
import { isDueForRefresh } from '#lib/domain/sessions/session.ts';
import type { RouteRules } from '../rules.ts';
import { isPublic } from '../guard.ts';
import { bearerToken, type Credential } from '../../http/request-headers.ts';
import { logFault } from '../../http/faults.ts';
import { CACHE_LIFETIME_S, type SeenSession } from './cache-validity.ts';

/**
 * Fills in `locals.user`, `locals.session` and `locals.credential`. A valid bearer token wins over
 * the cookie; if the bearer token is invalid, the cookie is used.
 */
export const loadSession = async (event: RequestEvent): Promise<void> => {
	const { request, url, locals } = event;
	const mayUseCache = mayUseSessionCache(request.method, locals.rules, url);
	const signedInWith = (credential: Credential): SignedIn | null | Promise<SignedIn | null> =>
		(mayUseCache ? fromCache(locals, credential) : null) ?? readStoredSession(event, credential);
	try {
		const { answersProxies } = locals.rules;
		const bearer = answersProxies ? null : bearerToken(request.headers.get('authorization'));
		let credential: Credential | null = bearer && { kind: 'bearer', token: bearer };
		let found = credential && (await signedInWith(credential));
		if (found === null) {
			const token = locals.ownCookies.get('sessionToken');
			credential = token && { kind: 'cookie', token };
			found = credential && (await signedInWith(credential));
		}
		if (found === null) return;
		locals.user = found.user;
		locals.session = found.session;
		locals.credential = credential;
	} catch (error) {
		// Public pages are served even if the session cannot be loaded. All other routes fail closed.
		const { isApi, isRemote } = locals.target;
		const { signInLayout } = locals.app.config;
		if (isApi || isRemote || !isPublic(locals.rules, locals.target, signInLayout)) throw error;
		logFault(event, error);
		locals.isStoreDown = true;
	}
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

/**
 * Reads the cache of this process, then, for a session cookie, the cache in the browser. An entry is
 * usable while it matches the store and the session is not due for a refresh, which would need a
 * write.
 */
const fromCache = (
	{ app, ownCookies, rules }: App.Locals,
	{ kind, token }: Credential
): SignedIn | null => {
	const now = app.clock.now();
	const isUsable = (seen: SeenSession | null): seen is SeenSession =>
		seen !== null &&
		app.cacheValidity.isCurrent(seen, now) &&
		(rules.answersProxies || !isDueForRefresh(seen.session, now, app.policy));
	const kept = app.processCache.get(token);
	if (isUsable(kept)) return kept;
	const sealed = kind === 'cookie' ? ownCookies.get('cache') : null;
	const seen = sealed === null ? null : app.cookieCache.read(sealed, token);
	if (!isUsable(seen)) return null;
	app.processCache.set(token, seen);
	return seen;
};

const readStoredSession = async (
	event: RequestEvent,
	{ kind, token }: Credential
): Promise<SignedIn | null> => {
	const { app, ownCookies, rules } = event.locals;
	const mayRefresh =
		!rules.answersProxies && event.url.searchParams.get('disableRefresh') !== 'true';
	const readAt = app.monotonic();
	const found = await app.readSession({ token, mayRefresh });
	if (found === null) return null;
	const { user, session, refreshed } = found;
	const seen = { user, session, readAt };
	app.processCache.set(token, seen);
	if (kind === 'cookie' && !rules.answersProxies) {
		if (refreshed) {
			// From `updatedAt`: from the start of the request, Max-Age would be a second too long.
			const { expiresAt, updatedAt } = session;
			ownCookies.setSession(token, expiresAt, updatedAt);
			if (ownCookies.get('sessionEnd') !== null) ownCookies.rememberSession(expiresAt, updatedAt);
			const deviceKey = ownCookies.get('deviceKey');
			if (deviceKey !== null) {
				ownCookies.set('deviceKey', deviceKey, app.policy.devices.lifetime);
			}
		}
		ownCookies.set('cache', app.cookieCache.write(token, seen), CACHE_LIFETIME_S);
	}
	return seen;
};
