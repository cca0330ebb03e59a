import type { RequestEvent } from '@sveltejs/kit';
import type { SignInPage } from '#lib/sign-in-layouts.ts';
import { PENDING_CONSENT_LIFETIME, type PendingConsent } from './consent-cookie.ts';

/**
 * Returns the pending consent of this browser for this email address on this entry page. Discards
 * one for another email address or page.
 */
export const pendingConsentFor = (
	event: RequestEvent,
	email: string,
	page: SignInPage
): PendingConsent | null => {
	const { app, authCookies } = event.locals;
	const value = authCookies.pendingConsent();
	if (value === null) return null;
	const browser = authCookies.browserKey();
	const pending = app.pendingConsents.read(value, { browser, email, page });
	if (pending === null) discardPendingConsent(event);
	return pending;
};

/** Replaces any earlier tick. Pending until the correct code is entered. */
export const notePendingConsent = (
	event: RequestEvent,
	email: string,
	page: SignInPage,
	keptBy: PendingConsent['keptBy']
): void => {
	const { app, authCookies } = event.locals;
	const browser = authCookies.browserKey();
	const value = app.pendingConsents.issue(keptBy, { browser, email, page });
	if (value !== null) authCookies.setPendingConsent(value, PENDING_CONSENT_LIFETIME);
};

export const discardPendingConsent = ({ locals: { authCookies } }: RequestEvent): void => {
	if (authCookies.pendingConsent() !== null) authCookies.setPendingConsent(null);
};
