import type { RequestEvent } from '@sveltejs/kit';
import type { HandleServerError } from '@sveltejs/kit/hooks';
import { describe, expect, test } from 'vitest';
import { handleFault } from '#lib/adapters/web/http/faults.ts';
import { requestPipeline } from '#lib/adapters/web/request-pipeline.ts';
import { StoreUnavailable } from '#lib/domain/errors.ts';
import { messages } from '#lib/messages/messages.ts';
import { respondTo } from '../../support/web/framework.ts';
import { SCRIPT } from '../../support/web/sign-in.ts';
import { aSite, ORIGIN } from '../../support/web/site.ts';

const { faults, refusals, clientErrors } = messages;
const TRUSTED = 'https://web.example.org';
type Route = (event: RequestEvent) => Response;

/** Runs the pipeline, with `route` in place of the page or endpoint, and perhaps a broken store. */
const run = async (
	path: string,
	init: RequestInit = {},
	route?: Route,
	changed: Partial<RequestEvent> = {},
	broken?: Error,
	trusted = TRUSTED
) => {
	const site = await aSite({ SITE_NAME: 'A & B', AUTH_TRUSTED_ORIGINS: trusted });
	if (broken) site.breakStore('sessions.find', broken);
	const pipeline = requestPipeline(() => site.app);
	const { response } = await respondTo(
		({ event, resolve }) =>
			pipeline({ event, resolve: route ? async (passed) => route(passed) : resolve }),
		new Request(ORIGIN + path, init),
		'10.0.0.1',
		changed
	);
	const { 'x-request-id': id, ...headers } = Object.fromEntries(response.headers);
	const logged = site.log.map(({ name, where, route }) => `${name} ${String(where ?? route)}`);
	return { id, status: response.status, headers, text: await response.text(), logged };
};

const BRAND = /<p class="home"><svg aria-hidden="true".*?<\/svg><span>(.*)<\/span><\/p>/s;
const READ = [/<title>(.*)<\/title>/, BRAND, /<h1>(.*)<\/h1>/, /<p class="muted">(.*)<\/p>/];
/** What a person reads on a plain page, and its link. */
const shown = (html: string): readonly unknown[] =>
	[...READ, /<a class="button" (href=".*)<\/a>/].map((part) => part.exec(html)?.[1]);
const pageOf = (message: string, link: string): readonly unknown[] => {
	const [heading, text] = message.includes('. ')
		? message.split(/\. (.*)/)
		: [message.replace(/\.$/, '')];
	return [`${heading} · A &amp; B`, 'A &amp; B', heading, text, link];
};
const HOME = 'href="/">Go to the home page';
const AGAIN = 'href="/auth/sign-in?redirectTo=%2Fapp">Try again';

const PAGE = { 'content-type': 'text/html; charset=utf-8' };
const JSON_TYPE = { 'content-type': 'application/json' };
const URLENCODED = { 'content-type': 'application/x-www-form-urlencoded' };
const KEY = { cookie: `__Host-postern_browser=${'A'.repeat(43)}` };
const FORM = '/auth/sign-in?/request&redirectTo=%2Fapp';
const [FOREIGN, STALE] = ['origin_refused /auth/sign-in', 'form_token_refused /auth/sign-in'];
const FAULT = 'fault GET /auth/sign-in';

const post = (headers: Record<string, string>, body = 'csrf=x'): RequestInit => ({
	method: 'POST',
	body,
	headers: { origin: ORIGIN, ...URLENCODED, ...headers }
});
const evil = post({ origin: 'https://evil.example' });
const long = post({ 'content-length': '65537' });
const noForm = post({ ...KEY, 'content-type': 'text/plain' });
const throws = (error: Error) => (): never => {
	throw error;
};
const [BUG, DOWN] = [new Error('a secret'), new StoreUnavailable('a secret')];
const [bug, down] = [throws(BUG), throws(DOWN)];
const refused = (): Response =>
	new Response(null, { status: 405, headers: { allow: 'GET, POST' } });
const unnamed = (): Response => new Response(null, { status: 405 });

test.each<[string, number, string, string, string, RequestInit, string?, Route?, object?]>([
	['a malformed path', 400, faults.badRequest, HOME, '/%zz', {}],
	['an action without a name', 404, faults.notFound, HOME, '/auth/sign-in?/default', post(KEY)],
	['a foreign form', 403, refusals.foreignForm(ORIGIN), HOME, FORM, evil, FOREIGN],
	['a form without a cookie', 403, faults.noCookie, AGAIN, FORM, post({}), STALE],
	['an old form', 403, refusals.staleForm, AGAIN, FORM, post(KEY), STALE],
	['one of two actions', 403, refusals.staleForm, AGAIN, `${FORM}&/default`, post(KEY), STALE],
	['a form as text', 403, refusals.staleForm, AGAIN, FORM, noForm, STALE],
	['R01 a long form, from its headers', 413, faults.formTooLarge, AGAIN, FORM, long],
	['R01 101 fields', 413, faults.formTooLarge, AGAIN, FORM, post(KEY, 'a&'.repeat(101))],
	['a method', 405, faults.badMethod, HOME, FORM, {}, '', refused, { allow: 'GET, POST' }],
	['M18 a fault', 500, faults.internal, AGAIN, FORM, {}, FAULT, bug],
	['M08 a store', 503, faults.unavailable, AGAIN, FORM, {}, FAULT, down, { 'retry-after': '2' }]
])(
	'%s: %i is a plain page, and JSON for the script of a page',
	async (_, status, message, link, path, init, logged, route, headers) => {
		const html = { accept: 'text/html', ...init.headers };
		const page = await run(path, { ...init, headers: html }, route);
		expect([page.status, page.headers]).toEqual([status, { ...PAGE, ...headers }]);
		expect(shown(page.text)).toEqual(pageOf(message, link));
		expect(page.logged.slice(0, -1)).toEqual(logged ? [logged] : []);
		expect(page.id).toMatch(/^[0-9a-f-]{36}$/);

		const answer = await run(path, { ...init, headers: { ...init.headers, ...SCRIPT } }, route);
		expect(answer).toMatchObject({ status, headers: { ...JSON_TYPE, ...headers } });
		expect(JSON.parse(answer.text)).toEqual({ type: 'error', error: { status, message } });
	}
);

const OK = '/api/auth/ok';
const WAIT = { 'retry-after': '2', 'x-retry-after': '2' };
test.each<[string, number, string, string, Route?, object?]>([
	['/api/%zz', 400, 'BAD_REQUEST', 'Malformed path'],
	[OK, 405, 'METHOD_NOT_ALLOWED', 'Method not allowed', refused, { allow: 'GET, POST' }],
	[OK, 405, 'METHOD_NOT_ALLOWED', 'Method not allowed', unnamed, { allow: 'GET, HEAD' }],
	[OK, 500, 'INTERNAL_ERROR', 'Something went wrong on our side', bug],
	[OK, 503, 'SERVICE_UNAVAILABLE', 'Service unavailable', down, WAIT]
])(
	'M18 %s: %i is JSON for a client of the API',
	async (path, status, code, message, route, more) => {
		const { headers, text, ...answer } = await run(path, {}, route);
		expect([answer.status, JSON.parse(text)]).toEqual([status, { message, code }]);
		expect(headers).toEqual({ ...JSON_TYPE, ...more });
	}
);

const REMOTE = { isRemoteRequest: true };
const DATA = { isDataRequest: true };
const SESSION = { headers: { cookie: `__Host-postern_session=${'A'.repeat(43)}` } };

test.each<[number, object, Error?]>([
	[401, { code: 'UNAUTHORIZED', message: 'Unauthorized' }],
	[500, { message: faults.internal }, BUG],
	[503, { message: faults.unavailable }, DOWN]
])(
	'E22 R09 a remote function does not run, and gets %i as its client reads it',
	async (status, error, broken) => {
		const answer = await run('/docs', SESSION, () => new Response('ran'), REMOTE, broken);
		expect(JSON.parse(answer.text)).toEqual({ type: 'error', error: { status, ...error } });
		expect(answer).toMatchObject({ status, headers: JSON_TYPE });
	}
);

test.each([
	['an unknown path', '//api/auth/no-such', {}],
	['the data of an endpoint', OK, DATA]
])('%s of the API is JSON with 404, and no route runs', async (_, path, changed) => {
	const { status, text } = await run(path, {}, () => new Response('ran'), changed);
	expect([status, JSON.parse(text)]).toEqual([404, { message: 'Not found', code: 'NOT_FOUND' }]);
});

describe('the data of a page', () => {
	test('is JSON with 404 for an unknown page, unless its error page needs that of the layout', async () => {
		const { status, text } = await run('/auth/no-such', {}, undefined, DATA);
		expect([status, JSON.parse(text)]).toEqual([404, { status, message: faults.notFound }]);
		const found = (): Response => new Response('{}');
		for (const path of ['/auth/no-such?x-sveltekit-invalidated=1', '/auth/sign-in']) {
			expect((await run(path, {}, found, DATA)).text).toBe('{}');
		}
		expect((await run('/auth/no-such', {}, found)).text).toBe('{}');
	});

	test('E22 is left to the framework after a fault, which is described without its message', async () => {
		for (const error of [BUG, DOWN]) {
			await expect(run('/app', SESSION, undefined, DATA, error)).rejects.toBe(error);
		}
		const described = (kind: string, error: object) =>
			handleFault({ kind, error } as Parameters<HandleServerError>[0]);
		expect(described('app', { status: 404 })).toBeUndefined();
		expect(described('framework', { status: 404 })).toEqual({ message: faults.notFound });
		expect(described('framework', { status: 415 })).toEqual({ message: faults.badRequest });
	});
});

test('an unknown path and a page of operators answer alike: both redirect by themselves, or the framework does', async () => {
	const isOwn = async (path: string, init = {}, changed = {}): Promise<boolean> => {
		const { id, status, headers } = await run(path, init, undefined, changed);
		const location = `/auth/sign-in?${new URLSearchParams({ redirectTo: path })}`;
		expect([status, headers]).toEqual([303, { location }]);
		return id !== undefined;
	};
	for (const path of ['/no-such', '/operators']) {
		expect([await isOwn(path), await isOwn(path, {}, DATA)]).toEqual([true, false]);
	}
	expect(await isOwn('/app')).toBe(false);
});

const of = (init: Readonly<Record<string, string>>, status = 200) => ({ headers: init, status });
const cors = (origin: string) => ({
	'access-control-allow-origin': origin,
	'access-control-allow-credentials': 'true',
	'access-control-expose-headers': 'set-auth-token, Retry-After, X-Retry-After'
});
const HTML = { 'content-type': 'text/html' };
const POLICY = { 'content-security-policy': "form-action 'self'; x" };
const TARGETS = { 'content-security-policy': `form-action 'self' ${TRUSTED}; x` };
test.each([
	['a page', '/auth/sign-in', of(HTML), { 'content-type': PAGE['content-type'] }],
	[
		'other text',
		'/auth/sign-in',
		of({ 'content-type': 'text/css' }),
		{ 'content-type': 'text/css' }
	],
	['a policy', '/auth/sign-in', of(POLICY), TARGETS],
	['a token', '/unsubscribe/x', of({}), { 'referrer-policy': 'same-origin' }],
	[
		'its own names',
		'/auth/sign-in',
		of({ vary: 'Accept' }),
		{ vary: 'Accept, Origin, Sec-Fetch-Site' }
	],
	['a wait', '/auth/sign-in', of({}, 503), {}],
	['a foreign origin', OK, of({}), {}, 'https://evil.example'],
	['a trusted origin', OK, of({}), cors(TRUSTED), TRUSTED],
	['a trusted origin', '/auth/sign-in', of({}), {}, TRUSTED]
] as const)('headers for %s at %s', async (_, path, init, headers, origin?: string) => {
	const answer = await run(
		path,
		origin ? { headers: { origin } } : {},
		() => new Response(null, init)
	);
	expect(answer.headers).toEqual(headers);
});

const RETURN = 'https://app.example.net';
test.each([
	['', null, "'self'"],
	['', RETURN, `'self' ${RETURN}`],
	[TRUSTED, RETURN, `'self' ${TRUSTED} ${RETURN}`]
])(
	'with the trusted sites "%s" and an application at %s, forms may lead to %s',
	async (trusted, formRedirectOrigin, allowed) => {
		const route: Route = ({ locals }) => {
			locals.formRedirectOrigin = formRedirectOrigin;
			return new Response(null, of(POLICY));
		};
		const { headers } = await run('/auth/sign-in', {}, route, {}, undefined, trusted);
		expect(headers).toEqual({ 'content-security-policy': `form-action ${allowed}; x` });
	}
);

test.each([
	[of(HTML, 500), true],
	[of({ ...HTML, 'content-length': '5' }, 503), true],
	[of({ ...HTML, 'content-security-policy': 'x' }, 500), false],
	[of(HTML, 499), false],
	[of({ 'content-type': 'x/text/html' }, 500), false],
	[of({}, 500), false]
])('the answer of the framework %j is replaced if it is its own page: %s', async (init, isOwn) => {
	const page = await run(FORM, {}, () => new Response('A', init));
	expect(page.status).toBe(init.status);
	const text = init.status === 503 ? faults.unavailable : faults.internal;
	if (isOwn) expect(shown(page.text)).toEqual(pageOf(text, AGAIN));
	else expect(page.text).toBe('A');
	expect(page.headers).not.toHaveProperty('content-length');
});

test('a response whose headers are fixed is copied', async () => {
	const answer = await run('/auth/sign-in', {}, () => Response.redirect(TRUSTED, 307));
	expect(answer).toMatchObject({ status: 307, headers: { location: `${TRUSTED}/` } });
	expect(answer.id).toBeDefined();
});

describe('the page for an error that a client names', () => {
	const open = (query: Readonly<Record<string, string>>) =>
		run(`/api/auth/error?${new URLSearchParams(query)}`);

	test('explains each in our own text, with a link to sign in', async () => {
		const known = Object.entries(clientErrors).flatMap(([code, text]) => [
			[code, text],
			[code.toLowerCase(), text]
		]);
		for (const [error = '', text = ''] of [...known, ['', faults.elsewhere]]) {
			const page = await open({ error });
			expect([page.status, page.headers]).toEqual([200, PAGE]);
			expect(shown(page.text)).toEqual(pageOf(text, 'href="/auth/sign-in">Sign in'));
		}
	});

	test.each([
		'toString',
		'__proto__',
		'x'.repeat(10_000),
		' ',
		'</title><script>alert(1)</script>',
		'{{7*7}} ${7*7} $& %sveltekit.error.message%',
		'\u202Eevil\r\nSet-Cookie: a=b'
	])('L01 L03 repeats nothing of the query: %j', async (hostile) => {
		const [general, known] = [await open({}), await open({ error: 'INVALID_TOKEN' })];
		for (const [query, page] of [
			[{ error: hostile }, general],
			[{ error_description: hostile }, general],
			[{ error: 'INVALID_TOKEN', error_description: hostile }, known],
			[{ [hostile]: 'x' }, general]
		] as const) {
			expect(await open(query)).toEqual({ ...page, id: expect.any(String) });
		}
	});
});
