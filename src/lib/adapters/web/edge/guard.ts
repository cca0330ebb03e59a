import { redirect, type RequestEvent } from '@sveltejs/kit';
import { messages } from '#lib/messages/messages.ts';
import { signInLayouts, type SignInLayout } from '#lib/sign-in-layouts.ts';
import { httpError, httpErrors, scriptError } from '../http/http-errors.ts';
import { AUTH_API, isUnder, withoutGroups } from '../http/paths.ts';
import type { RequestTarget } from './attach-app.ts';
import type { RouteRules } from './rules.ts';
import { signInPath } from './require-user.ts';

/**
 * Refuses unauthenticated requests, except for public routes. Remote functions are never public:
 * they belong to no page that could make them public.
 */
export const guard = (event: RequestEvent): Response | null | Promise<Response> => {
	const { app, user, target, rules } = event.locals;
	const { routeId, isApi, isRemote } = target;
	if (user === null && (isRemote || !isPublic(rules, target, app.config.signInLayout))) {
		return refuseUnauthenticated(event);
	}
	// No endpoint matches these requests. The framework would answer with its own page or an empty
	// body.
	if (isApi && (routeId === null || event.isDataRequest)) return httpError('not_found');
	return routeId === null ? refuseUnknownData(event) : null;
};

/**
 * Refuses a request for the data of a page that does not exist, in the form of the framework. Null for
 * other requests, and for the data of the layout, which an error page needs.
 */
export const refuseUnknownData = ({ isDataRequest, request }: RequestEvent): Response | null => {
	if (!isDataRequest) return null;
	if (new URL(request.url).searchParams.get('x-sveltekit-invalidated') === '1') return null;
	return Response.json({ status: 404, message: messages.faults.notFound }, { status: 404 });
};

const refuseUnauthenticated = async (event: RequestEvent): Promise<Response> => {
	const { locals } = event;
	if (locals.target.isApi) return httpError('unauthorized');
	if (event.isRemoteRequest) return scriptError(401, httpErrors.unauthorized);
	// The framework turns a thrown redirect into JSON for a form of a page, but not on an unknown path.
	// A returned one is the same for both, so operators' pages stay hidden.
	if (locals.rules.looksUnknown && !event.isDataRequest) {
		return new Response(null, { status: 303, headers: { location: signInPath(event) } });
	}
	redirect(303, signInPath(event));
};

/**
 * The public paths of the specification, with everything under them. They decide only for requests
 * whose route has no rules. Most of these match no route: an unknown path under a prefix gets 404, any
 * other leads to the sign-in page. `/ai`, `/blog` and `/templates` have no page until you add one.
 */
export const PUBLIC_PREFIXES = [
	'/auth',
	'/ai',
	'/blog',
	'/checkout',
	'/docs',
	'/templates',
	AUTH_API
];

/**
 * Whether a request is allowed without a session. If a route matched, its rules decide: a different
 * spelling of the path then gets the same result as the page it opens. Otherwise the path decides.
 */
export const isPublic = (
	{ access }: Pick<RouteRules, 'access'>,
	{ routeId, pathname }: Pick<RequestTarget, 'routeId' | 'pathname'>,
	signInLayout: SignInLayout
): boolean => {
	if (access !== 'by-path') return access === 'public';
	const given = routeId === null ? pathname : withoutGroups(routeId);
	// `//docs//x` becomes `/docs/x`.
	const path = given.replace(/\/+(?=\/|$)/g, '');
	return (
		PUBLIC_PREFIXES.some((prefix) => isUnder(prefix, path)) ||
		signInLayouts[signInLayout].alsoPublic.includes(path)
	);
};
