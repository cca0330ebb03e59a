import type { RequestEvent } from '@sveltejs/kit';

/**
 * How many milliseconds the database may take to respond before this instance counts as not ready.
 */
const PING_TIMEOUT = 1000;

type HealthCheck = (app: App.Locals['app']) => boolean | Promise<boolean>;

const checks: ReadonlyMap<string, HealthCheck> = new Map<string, HealthCheck>([
	/**
	 * Liveness. It does not query the database, so a database fault does not restart any instance.
	 */
	['/healthz', () => true],
	/** Readiness: whether a load balancer should send requests to this instance. */
	['/readyz', async (app) => !app.isStopping() && (await storeResponds(app))]
]);

/**
 * Answers health checks before logging, limits and session lookup. These paths are open to
 * everyone, so the response contains only a status and one word.
 */
export const answerHealthCheck = (event: RequestEvent): Promise<Response> | null => {
	const check = checks.get(event.locals.target.pathname);
	return check === undefined ? null : runHealthCheck(event, check);
};

const runHealthCheck = async (event: RequestEvent, check: HealthCheck): Promise<Response> => {
	const { method } = event.request;
	if (method !== 'GET' && method !== 'HEAD') return answer(405, { allow: 'GET, HEAD' });
	return (await check(event.locals.app)) ? answer(200) : answer(503, { 'retry-after': '1' });
};

const answer = (status: 200 | 405 | 503, headers: Record<string, string> = {}): Response =>
	new Response({ 200: 'ok\n', 405: 'method not allowed\n', 503: 'unavailable\n' }[status], {
		status,
		headers: {
			...headers,
			'content-type': 'text/plain; charset=utf-8',
			'cache-control': 'no-store'
		}
	});

const storeResponds = async ({ pingStore }: App.Locals['app']): Promise<boolean> => {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<false>((resolve) => {
		timer = setTimeout(() => resolve(false), PING_TIMEOUT);
	});
	const pinged = pingStore().then(
		() => true,
		() => false
	);
	const inTime = await Promise.race([pinged, late]);
	clearTimeout(timer);
	return inTime;
};
