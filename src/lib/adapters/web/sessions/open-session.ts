import type { RequestEvent } from '@sveltejs/kit';
import type { VerifiedCode } from '#lib/domain/sign-in/verify-code.ts';
import { voidCaches } from './session-response.ts';
import { discardPendingConsent } from '../consent/pending-consent.ts';

/**
 * Gives a session that was just opened to the browser; caches of the one it replaced are void. `tick` is the
 * monotonic time before it was opened.
 */
export const openSession = (
	event: RequestEvent,
	{ token, user, session, replaced }: VerifiedCode,
	tick: number
): void => {
	const { app, authCookies } = event.locals;
	const now = app.clock.now();
	// Given by now, or it belongs to another email address.
	discardPendingConsent(event);
	if (replaced !== null) voidCaches(event, [replaced]);
	authCookies.setSession(token, session.expiresAt, now);
	const seen = { user, session, readAt: session.createdAt, tick };
	authCookies.setCache(app.sessionCache.write(token, seen));
};
