import type { RequestEvent } from '@sveltejs/kit';
import { newBrowserKey, type BrowserKey } from '#lib/domain/secret.ts';

/**
 * The browser to which a code that is requested over the API is bound. Pages of this site keep
 * cookies, so their codes are bound to the browser. Apps and other sites keep none.
 */
export const boundBrowser = (event: RequestEvent): BrowserKey | null => {
	const { app, authCookies } = event.locals;
	const bindable = event.request.headers.get('sec-fetch-site') === 'same-origin';
	return bindable ? (authCookies.browserKey() ?? newBrowserKey(app.random)) : null;
};

/** Maps the `type` of the API to a purpose. Null for an unknown type. */
export const purposeOf = (type: string): 'sign_in' | 'email_verification' | null => {
	if (type === 'sign-in') return 'sign_in';
	return type === 'email-verification' ? 'email_verification' : null;
};
