import type { RequestEvent } from '@sveltejs/kit';
import { setTimeout } from 'node:timers/promises';

/** How long the database may take to respond before this instance counts as not ready. */
const PING_TIMEOUT_MS = 1000;

/**
 * Answers health checks before logging, limits and session lookup. These paths are open to
 * everyone, so the response contains only a status in words. `/healthz` does not query the
 * database, so a database fault does not restart any instance. `/readyz` says whether a load
 * balancer should send requests to this instance.
 */
export const answerHealthCheck = (event: RequestEvent): Response | Promise<Response> | null => {
	const { app, target } = event.locals;
	const isLive = target.pathname === '/healthz';
	if (!isLive && target.pathname !== '/readyz') return null;
	const { method } = event.request;
	if (method !== 'GET' && method !== 'HEAD') {
		return new Response('method not allowed\n', { status: 405, headers: { allow: 'GET, HEAD' } });
	}
	return isLive ? new Response('ok\n') : readiness(app);
};

const readiness = async ({ isStopping, pingStore }: App.Locals['app']): Promise<Response> => {
	const pingInTime = (): Promise<boolean> =>
		Promise.race([
			pingStore().then(() => true),
			setTimeout(PING_TIMEOUT_MS, false, { ref: false })
		]);
	return !isStopping() && (await pingInTime().catch(() => false))
		? new Response('ok\n')
		: new Response('unavailable\n', { status: 503, headers: { 'retry-after': '1' } });
};
