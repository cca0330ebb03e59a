import type { RequestEvent } from '@sveltejs/kit';
import { newBrowserKey, type BrowserKey } from '#lib/domain/secret.ts';

/**
 * The browser a code asked for over the API is to be bound to. A page of ours keeps cookies, so its
 * code is bound to the browser; phones and other sites do not.
 */
export const boundBrowser = (event: RequestEvent): BrowserKey | null => {
	const { app, authCookies } = event.locals;
	const bindable = event.request.headers.get('sec-fetch-site') === 'same-origin';
	return bindable ? (authCookies.browserKey() ?? newBrowserKey(app.random)) : null;
};
