import type { RequestEvent } from '@sveltejs/kit';
import { httpError, methodNotAllowed } from '../http/http-errors.ts';
import type { Metrics } from './open-metrics.ts';

/**
 * Answers Prometheus, before the log and the limits, like health checks. Null if the operator set no
 * token: then the path does not exist.
 */
export const answerMetrics = (event: RequestEvent): Promise<Response> | null => {
	const { app, target } = event.locals;
	return app.metrics === null || target.pathname !== '/metrics'
		? null
		: metricsResponse(event, app.metrics);
};

const metricsResponse = async (event: RequestEvent, metrics: Metrics): Promise<Response> => {
	const { method, headers } = event.request;
	const { app, clientAddress } = event.locals;
	if (!metrics.isAuthorised(headers.get('authorization'))) {
		// Without a request id, because these requests have no line in the log.
		app.log.event('metrics_refused', { client: app.loggedClient(clientAddress) });
		const refused = httpError('unauthorized');
		refused.headers.set('www-authenticate', 'Bearer');
		return refused;
	}
	if (method !== 'GET' && method !== 'HEAD') return methodNotAllowed(['GET', 'HEAD']);
	return new Response(await metrics.text(), { headers: { 'content-type': metrics.contentType } });
};
