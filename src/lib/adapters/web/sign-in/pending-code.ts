import type { RequestEvent } from '@sveltejs/kit';
import { codeBrowser } from '../edge/caller.ts';
import { inboxOf } from './webmail.ts';

/**
 * The pending code of this browser and page, as the page shows it. Null if there is none. Contains
 * durations instead of times, because the visitor's clock may be wrong.
 */
export const pendingCode = async (event: RequestEvent) => {
	const { app } = event.locals;
	const browser = codeBrowser(event);
	const pending = browser && (await app.readPendingCode(browser));
	if (pending === null) return null;
	const { email, state, attemptsLeft, attempts, expiresAt, resendAt, bounced } = pending;
	const now = app.clock.now();
	const secondsUntil = (instant: Date): number =>
		Math.max(0, Math.ceil((instant.getTime() - now.getTime()) / 1000));
	return {
		email,
		inbox: inboxOf(email),
		state,
		attemptsLeft,
		attempts,
		secondsLeft: secondsUntil(expiresAt),
		resendIn: secondsUntil(resendAt),
		bounced
	};
};

/** Whole seconds until this browser can request another code for an email address. */
export const cooldownOf = async (event: RequestEvent, email: string): Promise<number> => {
	const pending = await pendingCode(event);
	return pending?.email === event.locals.app.canonicalEmail(email) ? (pending?.resendIn ?? 0) : 0;
};
