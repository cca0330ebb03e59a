import {
	error,
	isActionFailure,
	isHttpError,
	isRedirect,
	type RequestEvent,
	type RequestHandler
} from '@sveltejs/kit';
import type { Handle } from '@sveltejs/kit/hooks';
import { handleFault } from '#lib/adapters/web/http/faults.ts';
import { eventCookies } from './cookies.ts';
import { loadRootLayout, routeOf, type MatchedRoute } from './routes.ts';

/** What a page would render. No HTML is rendered in these tests. */
interface Rendered {
	/** The data of the root layout and of the page. Null on an error page. */
	readonly data: Readonly<Record<string, unknown>> | null;
	/** What the form action returned, as the page finds it in `form`. */
	readonly form: unknown;
}

interface Responded {
	readonly response: Response;
	/** Null if the response was not rendered by a page. */
	readonly rendered: Rendered | null;
}

/**
 * Does for one request what the framework does around our code: it finds the route, runs the
 * pipeline, calls the endpoint or the form action and the loads, and adds headers and cookies. It
 * stands in for the framework only; the pipeline and the routes are the real ones. `changed` is what
 * the event of another kind of request has.
 */
export const respondTo = async (
	handle: Handle,
	request: Request,
	clientAddress: string,
	changed: Partial<RequestEvent> = {}
): Promise<Responded> => {
	const url = new URL(request.url);
	const route = routeOf(url.pathname);
	const headers = new Headers();
	const jar = eventCookies(request.headers.get('cookie'));
	let rendered: Rendered | null = null;

	const event = {
		request,
		url,
		params: route?.params ?? {},
		route: { id: (route?.id ?? null) as RequestEvent['route']['id'] },
		// The pipeline attaches everything.
		locals: {} as App.Locals,
		cookies: jar.cookies,
		setHeaders: (added) => {
			for (const [name, value] of Object.entries(added)) {
				if (headers.has(name)) throw new Error(`"${name}" is set twice`);
				headers.set(name, value);
			}
		},
		getClientAddress: () => clientAddress,
		fetch: () => Promise.reject(new Error('no route of ours fetches')),
		platform: undefined,
		isDataRequest: false,
		isSubRequest: false,
		isRemoteRequest: false,
		...changed
		// Nothing of ours reads the spans of the framework.
	} satisfies Omit<RequestEvent, 'tracing'> as unknown as RequestEvent;

	const complete = (response: Response): Response => {
		for (const [name, value] of headers) response.headers.set(name, value);
		for (const line of jar.headers()) response.headers.append('set-cookie', line);
		return response;
	};
	const resolve = async (event: RequestEvent): Promise<Response> => {
		if (route === null) return complete(new Response('Not found', { status: 404 }));
		if (!route.isPage) return complete(await callEndpoint(event, route));
		const { response, rendered: page } = await callPage(event, route);
		rendered = page;
		return complete(response);
	};

	try {
		return { response: await handle({ event, resolve }), rendered };
	} catch (thrown) {
		// The guard redirects by throwing.
		if (!isRedirect(thrown)) throw thrown;
		return { response: complete(redirection(thrown)), rendered: null };
	}
};

const redirection = ({ status, location }: { status: number; location: string }): Response =>
	new Response(null, { status, headers: { location } });

const callEndpoint = async (event: RequestEvent, { module }: MatchedRoute): Promise<Response> => {
	const { method } = event.request;
	const named = module[method] ?? (method === 'HEAD' ? module['GET'] : undefined);
	const handler = (named ?? module['fallback']) as RequestHandler | undefined;
	if (handler === undefined) return new Response(null, { status: 405 });
	try {
		// FastResponse is a response of another class, whose headers are filled in when they are read.
		const { status, headers, body } = await handler(event as Parameters<RequestHandler>[0]);
		return new Response(method === 'HEAD' ? null : body, { status, headers });
	} catch (thrown) {
		if (isRedirect(thrown)) return redirection(thrown);
		if (isHttpError(thrown)) return Response.json(thrown.body, { status: thrown.status });
		throw thrown;
	}
};

const callPage = async (
	event: RequestEvent,
	route: MatchedRoute
): Promise<Responded & { rendered: Rendered | null }> => {
	let status = 200;
	let form: unknown = null;
	try {
		if (event.request.method === 'POST') {
			const result = await callAction(event, route);
			if (isActionFailure(result)) status = result.status;
			form = isActionFailure(result) ? result.data : (result ?? null);
			if (isScripted(event)) {
				const type = isActionFailure(result) ? 'failure' : 'success';
				return {
					response: Response.json({ type, status, data: form }, { status }),
					rendered: null
				};
			}
		}
		const layout = await loadRootLayout(event);
		const page = ((await route.module.load?.(event)) ?? {}) as object;
		const rendered = { data: { ...layout, ...page }, form };
		return { response: pageOf(status, rendered), rendered };
	} catch (thrown) {
		if (isRedirect(thrown)) {
			const { status, location } = thrown;
			const response = isScripted(event)
				? Response.json({ type: 'redirect', status, location })
				: redirection(thrown);
			return { response, rendered: null };
		}
		return errorPage(event, thrown);
	}
};

const isScripted = ({ request }: RequestEvent): boolean =>
	request.method === 'POST' && request.headers.get('x-sveltekit-action') === 'true';

const callAction = async (event: RequestEvent, { module }: MatchedRoute): Promise<unknown> => {
	const named = [...event.url.searchParams.keys()].find((name) => name.startsWith('/'));
	const action = module.actions?.[named === undefined ? 'default' : named.slice(1)];
	if (action === undefined) error(404, `no action ${named ?? 'default'}`);
	return action(event as Parameters<typeof action>[0]);
};

/** A page that the framework rendered has a policy. */
const PAGE_HEADERS = {
	'content-type': 'text/html',
	'content-security-policy': "default-src 'self'"
};

/** The body has the data, so that a test can search for what must not be in a page. */
const pageOf = (status: number, rendered: Rendered): Response =>
	new Response(JSON.stringify(rendered), { status, headers: PAGE_HEADERS });

const errorPage = async (event: RequestEvent, thrown: unknown): Promise<Responded> => {
	const described = isHttpError(thrown)
		? thrown.body
		: {
				status: 500,
				message: 'Internal Error',
				...(await handleFault({ kind: 'unknown', error: thrown, event } as Parameters<
					typeof handleFault
				>[0]))
			};
	const status = isHttpError(thrown) ? thrown.status : described.status;
	return {
		response: new Response(JSON.stringify(described), { status, headers: PAGE_HEADERS }),
		rendered: { data: null, form: null }
	};
};
