import type { RequestEvent } from '@sveltejs/kit';
import { newBrowserKey, type BrowserKey, type PresentedKey } from '#lib/domain/secret.ts';

/** Whether a page of this site called, which keeps cookies. Apps and other sites keep none. */
export const keepsCookies = ({ request }: RequestEvent): boolean =>
	request.headers.get('sec-fetch-site') === 'same-origin';

/**
 * The browser to which a code that is requested over the API is bound. Null for a client that keeps
 * no cookies, and for a program, whose code is bound to its key.
 */
export const codeBrowserOfCall = (
	event: RequestEvent,
	presentedKey: PresentedKey | null
): BrowserKey | null => {
	const { app, authCookies } = event.locals;
	if (presentedKey?.kind === 'program') return null;
	return keepsCookies(event) ? (authCookies.browserKey() ?? newBrowserKey(app.random)) : null;
};

/** Maps the `type` of the API to a purpose. Null for an unknown type. */
export const purposeOf = (type: string): 'sign_in' | 'email_verification' | null => {
	if (type === 'sign-in') return 'sign_in';
	return type === 'email-verification' ? 'email_verification' : null;
};
