import { error, redirect, type RequestEvent } from '@sveltejs/kit';
import type { SignedIn } from '#lib/domain/sessions/session.ts';
import type { User } from '#lib/domain/account/user.ts';
import { entryPath } from '../sign-in/sign-in-layout.ts';
import { REDIRECT_PARAMETER } from '../security/safe-path.ts';

/** The signed-in user, for handlers that need one; strangers get 401 or are sent to sign in. */
export const requireUser = (event: RequestEvent): User => requireSession(event).user;

/** The same with the session the request came in. */
export const requireSession = (event: RequestEvent): SignedIn => {
	const { user, session } = event.locals;
	if (user !== null && session !== null) return { user, session };
	// The client of a remote function follows no redirect of a command.
	if (event.locals.target.isApi || event.isRemoteRequest)
		error(401, 'Unauthorized', { code: 'UNAUTHORIZED' });
	redirect(303, signInPath(event));
};

/** The page for signing in, remembering where the person was going. */
export const signInPath = (event: Pick<RequestEvent, 'url' | 'request' | 'locals'>): string => {
	const { pathname, search } = event.url;
	// The query of a form post names its action, which is nothing to come back to.
	const target = event.request.method === 'POST' ? pathname : pathname + search;
	return signInPathTo(target, event.locals);
};

/** The same for a target that the request does not name. */
export const signInPathTo = (target: string, { app }: Pick<App.Locals, 'app'>): string => {
	const page = entryPath(app.config.entry, 'sign-in');
	return `${page}?${new URLSearchParams({ [REDIRECT_PARAMETER]: target })}`;
};
