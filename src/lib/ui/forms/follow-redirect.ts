import { goto } from '$app/navigation';

/** Goes where an action leads. The form it came from has done its work, so going back skips it. */
export const followRedirect = (location: string): Promise<void> =>
	// eslint-disable-next-line svelte/no-navigation-without-resolve -- the server's own redirect
	goto(location, { refreshAll: true, replace: true }).catch(() =>
		// What is no page of the application, such as another site, is for the browser to open.
		window.location.replace(location)
	);
