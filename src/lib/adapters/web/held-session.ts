import type { RequestEvent } from '@sveltejs/kit';
import type { SessionId } from '#lib/domain/ids.ts';
import type { User } from '#lib/domain/user.ts';

/** Makes caches of sessions that ended worthless, wherever they are kept. */
export const voidCaches = (event: RequestEvent, ended: readonly SessionId[]): void => {
	const { app } = event.locals;
	const now = app.clock.now();
	for (const id of ended) app.revokedSessions.add(id, now);
};

/** After a change of the account: this very answer and the browser's cache know it already. */
export const showChanged = (event: RequestEvent, user: User): void => {
	const { app, authCookies, credential, session } = event.locals;
	event.locals.user = user;
	if (credential?.kind !== 'cookie' || session === null) return;
	const sealed = app.sessionCache.write(credential.token, { user, session }, app.clock.now());
	authCookies.setCache(sealed);
};

/** When the session of this request has ended: its cookies go, and what pages kept in the browser. */
export const forgetSession = (event: RequestEvent): void => {
	event.locals.authCookies.clearSession();
	event.locals.user = null;
	event.locals.session = null;
	event.locals.credential = null;
	event.setHeaders({ 'clear-site-data': '"storage"' });
};
