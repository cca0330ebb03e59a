import type { RequestEvent } from '@sveltejs/kit';
import { codeBrowserOf } from '../edge/caller.ts';
import { webmailOf } from './webmail.ts';

/**
 * The pending code of this browser and page, as the page shows it. Null if there is none. Contains
 * durations instead of times, because the visitor's clock may be wrong.
 */
export const pendingCode = async (event: RequestEvent) => {
	const { app } = event.locals;
	const browser = codeBrowserOf(event);
	const pending = browser && (await app.readPendingCode(browser));
	if (pending === null) return null;
	const { email, state, attemptsLeft, attemptsAllowed, expiresAt, sentAt, resendAt, bounced } =
		pending;
	const now = app.clock.now();
	const secondsUntil = (instant: Date): number =>
		Math.max(0, Math.ceil((instant.getTime() - now.getTime()) / 1000));
	return {
		email,
		webmail: webmailOf(email),
		state,
		attemptsLeft,
		attemptsAllowed,
		secondsLeft: secondsUntil(expiresAt),
		sentAt,
		resendIn: secondsUntil(resendAt),
		bounced
	};
};
