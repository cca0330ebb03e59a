import { redirect } from '@sveltejs/kit';
import type { Handle } from '@sveltejs/kit/hooks';
import { isAuthPath, svelteKitHandler } from 'better-auth/svelte-kit';
import { building } from '$app/env';
import { auth } from '#lib/auth.ts';

/**
 * The hook from the documentation of better-auth, with a guard. The endpoints of better-auth look up
 * the session themselves. A lookup here as well would nearly double their cost.
 */
export const handle: Handle = async ({ event, resolve }) => {
	if (!building && !isAuthPath(event.url.toString(), auth.options)) {
		const found = await auth.api.getSession({ headers: event.request.headers });
		if (found === null) {
			if (!event.url.pathname.startsWith('/api/')) redirect(303, '/');
			return Response.json({ message: 'Unauthorized', code: 'UNAUTHORIZED' }, { status: 401 });
		}
		event.locals.session = found.session;
		event.locals.user = found.user;
	}
	return svelteKitHandler({ event, resolve, auth, building });
};
