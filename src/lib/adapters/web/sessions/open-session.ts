import type { RequestEvent } from '@sveltejs/kit';
import type { VerifiedCode } from '#lib/domain/sign-in/verify-code.ts';
import { invalidateSessions } from './session-response.ts';
import { discardPendingConsent } from '../consent/pending-consent.ts';

/**
 * Sets the cookies of a new session and invalidates the caches of the session it replaced. `tick`
 * is the monotonic time before the session was opened.
 */
export const openSession = (
	event: RequestEvent,
	{ token, user, session, replaced }: VerifiedCode,
	tick: number
): void => {
	const { app, authCookies } = event.locals;
	const now = app.clock.now();
	// A pending consent was either given with this sign-in or belongs to another email address.
	discardPendingConsent(event);
	if (replaced !== null) invalidateSessions(event, [replaced]);
	authCookies.setSession(token, session.expiresAt, now);
	const seen = { user, session, readAt: session.createdAt, tick };
	authCookies.setCache(app.sessionCache.write(token, seen));
};
