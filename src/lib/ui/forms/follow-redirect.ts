import { goto } from '$app/navigation';

/**
 * Follows the redirect of an action. Replaces the form in the history, because its work is done.
 */
export const followRedirect = (location: string): Promise<void> =>
	// eslint-disable-next-line svelte/no-navigation-without-resolve -- the server's own redirect
	goto(location, { refreshAll: true, replace: true }).catch(() =>
		// Other sites and non-application pages are opened by the browser.
		window.location.replace(location)
	);
