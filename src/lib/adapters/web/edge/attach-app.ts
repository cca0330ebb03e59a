import type { RequestEvent } from '@sveltejs/kit';
import { randomUUID } from 'node:crypto';
import type { App } from '#lib/app.server.ts';
import { isApiPath } from '../http/paths.ts';
import { OwnCookies } from '../http/own-cookies.ts';
import type { RouteRules } from './rules.ts';

/** What a request targets. Every check in the hook uses these values. */
export interface RequestTarget {
	/** Null when no route matched. */
	readonly routeId: string | null;
	readonly pathname: string;
	/** API clients get JSON; people get pages. */
	readonly isApi: boolean;
	/** Whether the framework would run a remote function for this request. */
	readonly isRemote: boolean;
}

/** The route id of all remote functions, whichever page the client names. No rules name it. */
export const REMOTE_ROUTE = '/_app/remote';

type TargetSource = Pick<RequestEvent, 'isRemoteRequest' | 'request' | 'route' | 'url'>;

/**
 * The framework fills `event.url` and `event.route` of a remote request from client headers. A
 * check that read them would let the client choose its result, so all remote requests share one
 * route id that we define.
 */
export const requestTarget = (event: TargetSource): RequestTarget => {
	if (event.isRemoteRequest) {
		return { routeId: REMOTE_ROUTE, pathname: REMOTE_ROUTE, isApi: false, isRemote: true };
	}
	const { id: routeId } = event.route;
	const { pathname, search, searchParams } = event.url;
	// Without JavaScript, a remote form can post to any page. This parameter names its function.
	const isRemote =
		event.request.method === 'POST' && search !== '' && Boolean(searchParams.get('/remote'));
	return { routeId, pathname, isApi: isApiPath(routeId, pathname), isRemote };
};

/**
 * Fills in `event.locals`, all of it but the session. Routes reach the use-cases only through
 * `locals.app`. Refuses a request whose socket has closed: its client address is unknown, and nobody
 * would receive the response.
 */
export const attachApp = (
	event: RequestEvent,
	app: App,
	rulesOf: (routeId: string | null) => RouteRules
): Response | null => {
	const { locals } = event;
	// The framework's type omits `undefined`, which its adapter returns once the socket has closed.
	const peer: string | undefined = event.getClientAddress();
	if (peer === undefined) return new Response(null, { status: 400 });
	const { headers } = event.request;
	locals.app = app;
	locals.target = requestTarget(event);
	locals.rules = rulesOf(locals.target.routeId);
	// Not a time-ordered id like those of rows: `randomUUID` takes a tenth of the time.
	locals.requestId = randomUUID();
	locals.clientAddress = app.clientAddress({
		peer,
		forwardedFor: headers.get('x-forwarded-for'),
		realIp: headers.get('x-real-ip')
	});
	locals.ownCookies = new OwnCookies(event.cookies, headers.get('cookie'), app.config.secure);
	locals.user = null;
	locals.session = null;
	locals.isStoreDown = false;
	locals.operator = null;
	locals.credential = null;
	locals.formRedirectOrigin = null;
	return null;
};
