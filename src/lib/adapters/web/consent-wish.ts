import type { RequestEvent } from '@sveltejs/kit';

/** In seconds: as long as a person may take from the address to the right code. */
const REMEMBERED = 60 * 60;

/**
 * Without script the tick is made on one page and the session begins on another, so the browser
 * keeps it in between. With script the page keeps it and calls the consent endpoint itself.
 */
export const rememberConsent = (event: RequestEvent, ticked: boolean): void => {
	const { authCookies } = event.locals;
	if (ticked) authCookies.setConsentWish(REMEMBERED);
	else if (authCookies.consentWish()) authCookies.setConsentWish(null);
};

/** Takes the remembered wish, once. */
export const takeConsent = (event: RequestEvent): boolean => {
	const { authCookies } = event.locals;
	if (!authCookies.consentWish()) return false;
	authCookies.setConsentWish(null);
	return true;
};
