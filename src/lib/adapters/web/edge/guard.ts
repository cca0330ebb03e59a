import { redirect, type RequestEvent } from '@sveltejs/kit';
import { isPublic } from './public-routes.ts';
import { httpError } from '../http/http-errors.ts';
import { isFormType } from '../http/form-body.ts';
import { keepText } from './kept-text.ts';
import { remoteError } from '../http/remote-error.ts';
import { signInPath, signInPathTo } from './require-user.ts';

/**
 * Refuses unauthenticated requests, except for public routes. Unknown paths and remote functions
 * are never public: a remote function belongs to no page that could make it public.
 */
export const guard = (event: RequestEvent): Response | null | Promise<Response> => {
	const { app, user, target } = event.locals;
	const { routeId, pathname, isApi, isRemote } = target;
	if (user === null && (isRemote || !isPublic(routeId, pathname, app.config.signInLayout))) {
		return refused(event);
	}
	// No endpoint matches these requests. The framework would answer with its own page or an empty
	// body.
	return isApi && (routeId === null || event.isDataRequest) ? httpError('not_found') : null;
};

const refused = (event: RequestEvent): Response | Promise<Response> => {
	if (event.locals.target.isApi) return httpError('unauthorized');
	if (event.isRemoteRequest) return remoteError('unauthorized');
	const { method, headers } = event.request;
	// Only form bodies had their token checked, so only their text is kept.
	const isForm = method === 'POST' && isFormType(headers.get('content-type') ?? '');
	if (isForm) return keepAndRedirect(event);
	redirect(303, signInPath(event));
};

/** What was typed into a form is there again after signing in. */
const keepAndRedirect = async (event: RequestEvent): Promise<never> => {
	const section = await keepText(event);
	const { locals, url } = event;
	redirect(
		303,
		section === null ? signInPath(event) : signInPathTo(`${url.pathname}#${section}`, locals)
	);
};
