import type { RequestEvent } from '@sveltejs/kit';
import type { SessionId } from '#lib/domain/ids.ts';
import type { User } from '#lib/domain/account/user.ts';
import { discardPendingConsent } from '../consent/pending-consent.ts';

/** Makes caches of sessions that ended worthless, wherever they are kept. */
export const voidCaches = (event: RequestEvent, ended: readonly SessionId[]): void => {
	const { app } = event.locals;
	app.freshness.sessionsEnded(ended, app.clock.now());
	app.sessionMemory.forget(ended);
};

/** After a change of the account: this very answer and the browser's cache know it already. */
export const showChanged = (event: RequestEvent, user: User): void => {
	const { app, authCookies, credential, session } = event.locals;
	event.locals.user = user;
	const [readAt, tick] = [app.clock.now(), app.monotonic()];
	app.freshness.accountChanged(user.id, readAt);
	if (credential?.kind !== 'cookie' || session === null) return;
	authCookies.setCache(app.sessionCache.write(credential.token, { user, session, readAt, tick }));
};

/** When the session of this request has ended: its cookies go, and what pages kept in the browser. */
export const forgetSession = (event: RequestEvent): void => {
	event.locals.authCookies.clearSession();
	discardPendingConsent(event);
	event.locals.user = null;
	event.locals.session = null;
	event.locals.credential = null;
	event.setHeaders({ 'clear-site-data': '"storage"' });
};
