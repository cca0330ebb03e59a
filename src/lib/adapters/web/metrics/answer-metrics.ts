import type { RequestEvent } from '@sveltejs/kit';
import { logEvent } from '../http/log-event.ts';

/**
 * Answers Prometheus, before the log and the limits, like health checks. Null if the operator set no
 * token: then the path does not exist.
 */
export const answerMetrics = (event: RequestEvent): Promise<Response> | null => {
	const { app, target } = event.locals;
	return app.metrics === null || target.pathname !== '/metrics' ? null : answer(event, app.metrics);
};

const answer = async (
	event: RequestEvent,
	metrics: NonNullable<App.Locals['app']['metrics']>
): Promise<Response> => {
	const { method, headers } = event.request;
	if (!metrics.isAuthorised(headers.get('authorization'))) {
		logEvent(event, 'metrics_refused');
		return refusal(401, { 'www-authenticate': 'Bearer' });
	}
	if (method !== 'GET' && method !== 'HEAD') return refusal(405, { allow: 'GET, HEAD' });
	return new Response(await metrics.text(), {
		headers: { 'content-type': metrics.contentType, 'cache-control': 'no-store' }
	});
};

const refusal = (status: 401 | 405, headers: Record<string, string>): Response =>
	new Response({ 401: 'unauthorized\n', 405: 'method not allowed\n' }[status], {
		status,
		headers: {
			...headers,
			'content-type': 'text/plain; charset=utf-8',
			'cache-control': 'no-store'
		}
	});
