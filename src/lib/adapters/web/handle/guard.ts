import { redirect } from '@sveltejs/kit';
import { isApiPath, isPublic } from '../access.ts';
import { edgeError } from '../api-error.ts';
import { signInPath } from '../require-user.ts';
import type { Gate } from './gates.ts';

/** Nobody gets past without a session, except to what is public. Unknown paths are no exception. */
export const guard: Gate = (event) => {
	const { app, user } = event.locals;
	if (user !== null || isPublic(event.route.id, event.url.pathname, app.config.entry)) {
		return null;
	}
	if (isApiPath(event.url.pathname)) return edgeError('unauthorized');
	redirect(303, signInPath(event));
};
