import { isHttpError, isRedirect, type RequestEvent } from '@sveltejs/kit';
import { logEvent } from '../http/log-event.ts';

/**
 * Logs one line per request. It logs the route and not the path, because a path may contain
 * secrets.
 */
export const withLog = async (
	event: RequestEvent,
	respond: () => Promise<Response>
): Promise<Response> => {
	const { app, target } = event.locals;
	const began = app.monotonic();
	let status: number | null = null;
	try {
		const response = await respond();
		status = response.status;
		return response;
	} catch (thrown) {
		if (isRedirect(thrown) || isHttpError(thrown)) status = thrown.status;
		throw thrown;
	} finally {
		logEvent(event, 'request', {
			method: event.request.method,
			route: target.routeId,
			status,
			milliseconds: Math.round(app.monotonic() - began)
		});
	}
};
