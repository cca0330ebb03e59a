import type { RequestEvent } from '@sveltejs/kit';
import type { SignedIn } from '#lib/domain/session.ts';
import type { SessionToken } from '#lib/domain/secret.ts';

/** Gives a session that was just opened to the browser; the one it had ended with that. */
export const openSession = (
	event: RequestEvent,
	{ token, user, session }: SignedIn & { readonly token: SessionToken }
): void => {
	const { app, authCookies } = event.locals;
	const now = app.clock.now();
	if (event.locals.session !== null) app.revokedSessions.add(event.locals.session.id, now);
	authCookies.setSession(token, session.expiresAt, now);
	authCookies.setCache(app.sessionCache.write(token, { user, session }, now));
};
