import { error, redirect, type RequestEvent } from '@sveltejs/kit';
import type { User } from '#lib/domain/user.ts';
import { isApiPath } from './access.ts';
import { REDIRECT_PARAMETER } from './safe-path.ts';

/** The signed-in user, for handlers that need one; strangers get 401 or are sent to sign in. */
export const requireUser = (event: RequestEvent): User => {
	if (event.locals.user !== null) return event.locals.user;
	if (isApiPath(event.url.pathname)) error(401, 'Unauthorized', { code: 'UNAUTHORIZED' });
	redirect(303, signInPath(event));
};

/** The sign-in page, remembering where the person was going. */
export const signInPath = (event: Pick<RequestEvent, 'url' | 'request'>): string => {
	const { pathname, search } = event.url;
	// The query of a form post names its action, which is nothing to come back to.
	const target = event.request.method === 'POST' ? pathname : pathname + search;
	return `/auth/sign-in?${new URLSearchParams({ [REDIRECT_PARAMETER]: target })}`;
};
