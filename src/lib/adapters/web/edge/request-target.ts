import type { RequestEvent } from '@sveltejs/kit';
import { isApiPath } from '../http/paths.ts';

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

const REMOTE: RequestTarget = {
	routeId: REMOTE_ROUTE,
	pathname: REMOTE_ROUTE,
	isApi: false,
	isRemote: true
};

/**
 * The framework fills `event.url` and `event.route` of a remote request from client headers. A
 * check that read them would let the client choose its result, so all remote requests share one
 * route id that we define.
 */
export const requestTarget = (event: TargetSource): RequestTarget => {
	if (event.isRemoteRequest) return REMOTE;
	const routeId = event.route.id;
	const { pathname } = event.url;
	return {
		routeId,
		pathname,
		isApi: isApiPath(routeId, pathname),
		isRemote: event.request.method === 'POST' && namesRemoteForm(event.url)
	};
};

/** Without JavaScript, a remote form can post to any page. This parameter names its function. */
const namesRemoteForm = ({ search, searchParams }: URL): boolean =>
	search !== '' && Boolean(searchParams.get('/remote'));
