import type { RequestEvent } from '@sveltejs/kit';
import type { OpenedSession } from '#lib/domain/sign-in/ports.ts';
import type { User } from '#lib/domain/user.ts';
import { discardConsent } from '../consent/consent-box.ts';
import { CACHE_LIFETIME_S } from '../edge/session/cache-validity.ts';

/** Sets the cookies of a new session. `readAt` is the monotonic time before it was opened. */
export const setSessionCookies = (
	event: RequestEvent,
	{ token, user, session, deviceKey }: OpenedSession,
	readAt: number
): void => {
	const { app, ownCookies } = event.locals;
	// A pending consent was either given with this sign-in or belongs to another email address.
	discardConsent(event);
	const now = app.clock.now();
	ownCookies.setSession(token, session.expiresAt, now);
	ownCookies.clearMessages();
	// Clients of the API get no cookie that only pages use.
	if (!event.locals.target.isApi) ownCookies.rememberSession(session.expiresAt, now);
	if (deviceKey !== null) ownCookies.set('deviceKey', deviceKey, app.policy.devices.lifetime);
	const cached = app.cookieCache.write(token, { user, session, readAt });
	ownCookies.set('cache', cached, CACHE_LIFETIME_S);
};

/**
 * Updates this request after an account change, and removes the browser's cached copy of the account.
 * The next request reads the store.
 */
export const showChangedUser = (event: RequestEvent, user: User): void => {
	const { ownCookies, credential } = event.locals;
	event.locals.user = user;
	if (credential?.kind === 'cookie') ownCookies.delete('cache');
};

/**
 * Call after the session of this request has ended. Clears its cookies and the data that pages
 * stored in the browser.
 */
export const clearSession = (event: RequestEvent): void => {
	event.locals.ownCookies.deleteSessionCookies();
	discardConsent(event);
	event.locals.user = null;
	event.locals.session = null;
	event.locals.credential = null;
	event.setHeaders({ 'clear-site-data': '"storage"' });
};
