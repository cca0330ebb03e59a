import { redirect } from '@sveltejs/kit';
import type { Handle } from '@sveltejs/kit/hooks';
import { isAuthPath, svelteKitHandler } from 'better-auth/svelte-kit';
import { building } from '$app/env';
import { auth } from '#lib/auth.ts';

/**
 * As its documentation shows it, with a guard. Its own endpoints find the session themselves; looked
 * up here as well, each of them would cost nearly twice as much.
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
