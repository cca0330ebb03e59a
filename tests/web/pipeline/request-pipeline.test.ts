import type { Handle, ResolveOptions } from '@sveltejs/kit/hooks';
import { expect, test } from 'vitest';
import { requestPipeline } from '#lib/adapters/web/request-pipeline.ts';
import { fixedClock } from '../../support/memory/drivers.ts';
import { respondTo } from '../../support/web/framework.ts';
import { bearer, ME } from '../../support/web/sign-in.ts';
import { aSite, ORIGIN, type Site } from '../../support/web/site.ts';

const CLIENT = '10.0.0.1';

/** Runs the pipeline of a site, and notes the options with which it calls the route. */
const run = async ({ app, log }: Site, path: string, init: RequestInit = {}, changed = {}) => {
	const routes: (ResolveOptions | undefined)[] = [];
	const handle: Handle = ({ event, resolve }) =>
		requestPipeline(() => app)({
			event,
			resolve: (event, options) => {
				routes.push(options);
				return resolve(event);
			}
		});
	const { response } = await respondTo(handle, new Request(ORIGIN + path, init), CLIENT, changed);
	const line = log.findLast(({ name }) => name === 'request');
	return { response, routes, logged: line?.['status'] ?? null };
};

test('steps run in order: a refusal is logged, has the headers and ends the request', async () => {
	const site = await aSite();
	const foreign = { method: 'POST', headers: { origin: 'https://other.example' } };
	const queries = await site.queriesOf(async () => {
		const { response, routes, logged } = await run(site, '/api/auth/sign-out', foreign);
		expect([response.status, logged, routes]).toEqual([403, 403, []]);
		expect(response.headers.has('x-request-id')).toBe(true);
	});
	expect(queries).toEqual([]);
});

test('B12 limits are checked before body, origin, session and database, and count what these refuse', async () => {
	const site = await aSite();
	const json = { 'content-type': 'application/json', ...bearer('A'.repeat(43)) };
	const post = (origin: string) => ({ method: 'POST', body: '{', headers: { ...json, origin } });
	const send = async (init: RequestInit) => (await run(site, ME, init)).response;
	for (let sent = 0; sent < 100; sent += 1) {
		expect((await send(post('https://other.example'))).status).toBe(403);
	}
	site.breakStore('sessions.find');
	for (const init of [post('https://other.example'), post(ORIGIN), { headers: json }]) {
		const refused = await send(init);
		expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
		expect(await refused.json()).toEqual({
			message: 'Too many requests. Please try again later.',
			code: 'TOO_MANY_REQUESTS'
		});
		expect(site.log.at(-2)).toMatchObject({ name: 'rate_limited', route: ME, retryAfter: 60 });
	}
});

test('a clock that is set back makes no negative duration in the log', async () => {
	const clock = fixedClock();
	const now = () => (clock.advance(-1), clock.now());
	const site = await aSite({}, { clock: { ...clock, now } });
	await run(site, '/');
	const line = site.log.findLast(({ name }) => name === 'request');
	expect(line?.['milliseconds']).toBeGreaterThanOrEqual(0);
});

test('the log says how long a request took, and no status if the framework answers its fault', async () => {
	const { app, clock, log } = await aSite();
	const resolve = async (): Promise<Response> => {
		clock.advance(0.25);
		throw new Error('a bug');
	};
	const handle: Handle = ({ event }) => requestPipeline(() => app)({ event, resolve });
	const data = respondTo(handle, new Request(ORIGIN), CLIENT, { isDataRequest: true });
	await expect(data).rejects.toThrow('a bug');
	expect(log).toMatchObject([{ name: 'request', status: null, milliseconds: 250 }]);
});

test('R15 a request whose socket has closed gets no further, and is not logged', async () => {
	// What the adapter gives for a closed socket, against the type of the framework.
	const getClientAddress = () => undefined as unknown as string;
	const { response, routes, logged } = await run(await aSite(), '/', {}, { getClientAddress });
	expect([response.status, routes, logged]).toEqual([400, [], null]);
});

test('a health check is answered before log and limits', async () => {
	const { response, routes, logged } = await run(await aSite(), '/healthz');
	expect([response.status, routes, logged]).toEqual([200, [], null]);
});

test('an error of a step, synchronous or not, is logged and gets the headers', async () => {
	const site = await aSite();
	// The guard throws a redirect.
	const denied = await run(site, '/app');
	expect([denied.response.status, denied.logged, denied.routes]).toEqual([303, 303, []]);
	site.breakStore('sessions.find');
	const headers = { authorization: `Bearer ${'A'.repeat(43)}` };
	const failed = await run(site, '/api/hello', { headers });
	expect([failed.response.status, failed.logged, failed.routes]).toEqual([503, 503, []]);
	expect(failed.response.headers.get('x-request-id')).not.toBeNull();
});

test.each(['/app', '/no-such-page'])(
	'%s is a page about a fault without the store, and names the site once',
	async (path) => {
		const site = await aSite({ SITE_NAME: 'A & B' });
		site.breakStore('sessions.find');
		const headers = { accept: 'text/html', cookie: `__Host-postern_session=${'A'.repeat(43)}` };
		const { response } = await run(site, path, { headers });
		expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
		const text = await response.text();
		expect(text).toMatch(/<title>[^&·]+ · A &amp; B<\/title>/);
		expect(text).not.toContain('broken by a test');
	}
);
