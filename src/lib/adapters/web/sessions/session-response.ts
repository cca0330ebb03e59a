import type { RequestEvent } from '@sveltejs/kit';
import type { SessionId } from '#lib/domain/ids.ts';
import type { User } from '#lib/domain/account/user.ts';
import { discardPendingConsent } from '../consent/pending-consent.ts';

/** Invalidates the caches of sessions that have ended, in this process and in browsers. */
export const invalidateSessions = (event: RequestEvent, ended: readonly SessionId[]): void => {
	const { app } = event.locals;
	app.freshness.sessionsEnded(ended, app.clock.now());
	app.sessionMemory.forget(ended);
};

/** Updates this request and the browser's cache after an account change. */
export const refreshUserCache = (event: RequestEvent, user: User): void => {
	const { app, authCookies, credential, session } = event.locals;
	event.locals.user = user;
	const [readAt, tick] = [app.clock.now(), app.monotonic()];
	app.freshness.accountChanged(user.id, readAt);
	if (credential?.kind !== 'cookie' || session === null) return;
	authCookies.setCache(app.sessionCache.write(credential.token, { user, session, readAt, tick }));
};

/**
 * Call after the session of this request has ended. Clears its cookies and the data that pages
 * stored in the browser.
 */
export const forgetSession = (event: RequestEvent): void => {
	event.locals.authCookies.clearSession();
	discardPendingConsent(event);
	event.locals.user = null;
	event.locals.session = null;
	event.locals.credential = null;
	event.setHeaders({ 'clear-site-data': '"storage"' });
};
