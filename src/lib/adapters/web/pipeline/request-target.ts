import type { RequestEvent } from '@sveltejs/kit';
import { isApiPath, REMOTE_ROUTE } from '../security/public-routes.ts';

/** What a request is for. Every check in the hook decides by this. */
export interface RequestTarget {
	/** Null when no route matched. */
	readonly routeId: string | null;
	readonly pathname: string;
	/** API clients get JSON; people get pages. */
	readonly isApi: boolean;
	/** Whether the framework would run a remote function for this request. */
	readonly isRemote: boolean;
}

type TargetSource = Pick<RequestEvent, 'isRemoteRequest' | 'request' | 'route' | 'url'>;

const REMOTE: RequestTarget = {
	routeId: REMOTE_ROUTE,
	pathname: REMOTE_ROUTE,
	isApi: false,
	isRemote: true
};

/**
 * The framework fills `event.url` and `event.route` of a remote request from headers of the client.
 * A check that read them would let the client choose its result, so all remote requests share one
 * route id of our own.
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

/** A remote form works on any page without JavaScript: this parameter names its function. */
const namesRemoteForm = ({ search, searchParams }: URL): boolean =>
	search !== '' && Boolean(searchParams.get('/remote'));
