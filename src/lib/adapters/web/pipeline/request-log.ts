import { isHttpError, isRedirect } from '@sveltejs/kit';
import type { Handle } from '@sveltejs/kit/hooks';
import { logEvent } from './log-event.ts';

/**
 * Logs one line per request. It logs the route and not the path, because a path may contain
 * secrets.
 */
export const withLog: Handle = async ({ event, resolve }) => {
	const { app, target } = event.locals;
	const began = app.clock.now().getTime();
	let status: number | null = null;
	try {
		const response = await resolve(event);
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
			milliseconds: app.clock.now().getTime() - began
		});
	}
};
