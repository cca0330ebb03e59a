import type { Handle } from '@sveltejs/kit/hooks';
import { record } from '../record.ts';

/** One line per request. The route stands for the path, which may hold what a log may not. */
export const withLog: Handle = async ({ event, resolve }) => {
	const { app, requestId } = event.locals;
	const began = app.clock.now().getTime();
	let status: number | null = null;
	try {
		const response = await resolve(event);
		status = response.status;
		response.headers.set('x-request-id', requestId);
		return response;
	} finally {
		record(event, 'request', {
			method: event.request.method,
			route: event.route.id,
			// Null for what the framework answers to a thrown redirect or error.
			status,
			milliseconds: app.clock.now().getTime() - began
		});
	}
};
