import type { RequestEvent } from '@sveltejs/kit';
import { signInPageOf } from '../sign-in/sign-in-layout.ts';
import {
	PENDING_CONSENT_LIFETIME,
	type ConsentOwner,
	type PendingConsent
} from './consent-cookie.ts';

/** The pending consent of this browser for this email address on this entry page. */
export const pendingConsent = (event: RequestEvent, email: string): PendingConsent | null => {
	const { app, authCookies } = event.locals;
	const value = authCookies.pendingConsent();
	return value === null ? null : app.pendingConsents.read(value, ownerOf(event, email));
};

/** Replaces any earlier tick. Pending until the correct code is entered. */
export const notePendingConsent = (
	event: RequestEvent,
	email: string,
	keptBy: PendingConsent['keptBy']
): void => {
	const { app, authCookies } = event.locals;
	const value = app.pendingConsents.issue(keptBy, ownerOf(event, email));
	if (value !== null) authCookies.setPendingConsent(value, PENDING_CONSENT_LIFETIME);
};

/** Discards a pending consent for another email address or entry page. */
export const keepConsentOnlyFor = (event: RequestEvent, email: string): void => {
	if (pendingConsent(event, email) === null) discardPendingConsent(event);
};

export const discardPendingConsent = ({ locals: { authCookies } }: RequestEvent): void => {
	if (authCookies.pendingConsent() !== null) authCookies.setPendingConsent(null);
};

const ownerOf = ({ locals, route }: RequestEvent, email: string): ConsentOwner => ({
	browser: locals.authCookies.browserKey(),
	email,
	page: signInPageOf(route.id)
});
