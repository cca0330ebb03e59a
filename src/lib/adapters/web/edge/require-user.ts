import { error, redirect, type RequestEvent } from '@sveltejs/kit';
import type { SignedIn } from '#lib/domain/sessions/ports.ts';
import { isFreshlySignedIn } from '#lib/domain/sessions/session.ts';
import type { User } from '#lib/domain/user.ts';
import { signInLayouts } from '#lib/sign-in-layouts.ts';
import { AGAIN_PARAMETER, REDIRECT_PARAMETER } from '../http/paths.ts';

/**
 * Returns the signed-in user. Unauthenticated requests get 401 or a redirect to the sign-in page.
 */
export const requireUser = (event: RequestEvent): User => requireSession(event).user;

export const requireSession = (event: RequestEvent): SignedIn => {
	const { user, session } = event.locals;
	if (user !== null && session !== null) return { user, session };
	// The client of a remote function does not follow the redirect of a command.
	if (event.locals.target.isApi || event.isRemoteRequest)
		error(401, 'Unauthorized', { code: 'UNAUTHORIZED' });
	redirect(303, signInPath(event));
};

/** As `requireSession`. A person whose sign-in is not recent is redirected to sign in again. */
export const requireFreshSession = (event: RequestEvent): SignedIn => {
	const signedIn = requireSession(event);
	const { clock, policy } = event.locals.app;
	if (isFreshlySignedIn(signedIn.session, clock.now(), policy)) return signedIn;
	redirect(303, `${signInPath(event)}&${AGAIN_PARAMETER}`);
};

/** The path of the sign-in page, with the current page as the target after sign-in. */
export const signInPath = (event: Pick<RequestEvent, 'url' | 'request' | 'locals'>): string => {
	const { pathname, search } = event.url;
	// The query of a form post names its action, so it must not become part of the target.
	const target = event.request.method === 'POST' ? pathname : pathname + search;
	return signInPathTo(event.locals.rules.formOf ?? target, event.locals);
};

export const signInPathTo = (target: string, { app }: Pick<App.Locals, 'app'>): string => {
	const { signIn } = signInLayouts[app.config.signInLayout];
	return `${signIn}?${new URLSearchParams({ [REDIRECT_PARAMETER]: target })}`;
};
