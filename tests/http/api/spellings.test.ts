import { beforeAll, describe, expect, test } from 'vitest';
import { exchange, inBatches, signIn, sampled } from '../../support/http/client.ts';
import { builtRoutes, pathOf, type Route } from '../../support/http/routes.ts';
import { makeOperator } from '../../support/http/account.ts';
import { onOneServer } from '../../support/http/fixtures.ts';

/** Without a port: text that the adapter appends to this origin would extend the host name. */
const SITE = 'https://auth.example';

const UNAUTHORIZED = [401, { message: 'Unauthorized', code: 'UNAUTHORIZED' }];
const NOT_FOUND = [404, { message: 'Not found', code: 'NOT_FOUND' }];
const MALFORMED = [400, { message: 'Malformed request', code: 'BAD_REQUEST' }];
const OK = [200, { ok: true }];
const NOT_ALLOWED = [405, { message: 'Method not allowed', code: 'METHOD_NOT_ALLOWED' }];

interface Heard {
	readonly status: number;
	readonly type: string | null;
	readonly body: string;
	readonly head: string;
}

onOneServer(
	(fixture) => {
		/** Sends the target exactly as it is written. */
		const send = async (target: string, method = 'GET', lines = ''): Promise<Heard> => {
			const received = await exchange(
				fixture.server,
				`${method} ${target} HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 203.0.113.${++client % 250}\r\nconnection: close\r\n${lines}\r\n`
			);
			const end = received.indexOf('\r\n\r\n');
			const head = received.slice(0, end);
			return {
				head,
				status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]),
				type: /^content-type: (.*)$/im.exec(head)?.[1] ?? null,
				body: received.slice(end + 4)
			};
		};
		let client = 0;
		const answerTo = async (target: string, method?: string, lines?: string) => {
			const { status, type, body } = await send(target, method, lines);
			expect([target, type]).toEqual([target, 'application/json']);
			return [status, JSON.parse(body)];
		};

		describe('an API path in any spelling is answered in JSON', () => {
			test.each([
				'/api/hello',
				'//api/hello',
				'/x/../api/hello',
				'/\\api\\hello',
				'/%61pi/hello',
				'/api/%68ello',
				'/api%2fhello',
				'/api/hello/__data.json',
				'/api/hello/__route.js',
				'/api/hello?x-sveltekit-x=1',
				'/api/no-such-thing',
				'/api%2fauth/ok',
				// The catch-all route for unknown paths matches it, not the one below /api/auth.
				'/api//auth/ok'
			])('%s is refused without a session', async (target) => {
				expect(await answerTo(target)).toEqual(UNAUTHORIZED);
			});

			test.each([
				'/api/auth/no-such-thing',
				'//api/auth/ok',
				'/api/auth/ok/__data.json',
				'/api/auth/get-session/__data.json?x-sveltekit-invalidated=1',
				'/api/auth/ok/__route.js'
			])('%s is not found', async (target) => {
				expect(await answerTo(target)).toEqual(NOT_FOUND);
			});

			test.each([
				'/api/auth/ok',
				'/%61pi/auth/%6fk',
				'/api/auth/ok#x',
				'/api/auth/ok?%78-sveltekit-x=1&x=1'
			])('%s reaches its endpoint', async (target) => {
				expect(await answerTo(target)).toEqual(OK);
			});

			test.each(['PROPFIND', 'PUT'])('%s is not one of its methods', async (method) => {
				expect(await answerTo('/api/auth/ok', method)).toEqual(NOT_ALLOWED);
			});

			test.each([
				'http:///api/hello',
				'http://evil.example/api/hello',
				'ftp://evil.example/api/hello',
				'*'
			])('%s is not a valid target', async (target) => {
				expect(await answerTo(target, target === '*' ? 'OPTIONS' : 'GET')).toEqual(MALFORMED);
			});

			test('a signed-in caller gets 404 for a path without an endpoint', async () => {
				const { token } = await signIn(fixture.server);
				const authorization = `authorization: Bearer ${token}\r\n`;
				for (const target of ['//api/hello', '/api/hello/__data.json', '/api%2fhello']) {
					expect(await answerTo(target, 'GET', authorization)).toEqual(NOT_FOUND);
				}
			});
		});

		describe('every answer with a body has a content type', () => {
			let routes: readonly Route[] = [];
			beforeAll(async () => {
				routes = await builtRoutes();
			});

			test('a page answers 405 with our error page to a method it does not have', async () => {
				const pages = routes.filter(({ page }) => page !== null).map(({ id }) => pathOf(id));
				// To anybody else, the pages for operators are unknown.
				const { token, email } = await signIn(fixture.server);
				await makeOperator(fixture, email);
				const requests = pages.flatMap((path) =>
					['PUT', 'PATCH', 'DELETE', 'PROPFIND'].map((method) => ({ path, method }))
				);
				expect(requests.length).toBeGreaterThan(40);
				await inBatches(sampled(requests, 3), 20, async ({ path, method }) => {
					const { status, head, type, body } = await send(
						path,
						method,
						`authorization: Bearer ${token}\r\norigin: ${SITE}\r\n`
					);
					expect([path, method, status, type]).toEqual([
						path,
						method,
						405,
						'text/html; charset=utf-8'
					]);
					expect(head).toMatch(/^allow: GET, /im);
					expect(body).toContain('<h1>This page doesn’t accept this kind of request</h1>');
				});
			});
		});

		test('the pages of operators answer everybody else as unknown paths do, to the byte', async () => {
			const { token, cookie } = await signIn(fixture.server);
			const callers = {
				nobody: '',
				bearer: `authorization: Bearer ${token}\r\n`,
				cookie: `cookie: ${cookie}\r\n`
			};
			const paths = [
				'',
				'/',
				'?q=a',
				'?/act',
				'?/remote=a/b',
				'/accounts/01955000-0000-7000-8000-999999999999'
			].concat(
				['', '?x-sveltekit-invalidated=1', '?x-sveltekit-invalidated=11'].map(
					(query) => `/__data.json${query}`
				)
			);
			const accepted = ['text/html', 'application/json', '*/*'].map(
				(type) => `accept: ${type}\r\n`
			);
			const requests = Object.entries(callers).flatMap(([caller, credential]) =>
				paths.flatMap((path) =>
					accepted.flatMap((accept) =>
						[
							...['GET', 'HEAD', 'OPTIONS', 'PUT'].map((method) => ({ method, lines: '' })),
							{ method: 'GET', lines: 'sec-fetch-dest: image\r\n' },
							{
								method: 'POST',
								lines: `origin: ${SITE}\r\ncontent-type: application/json\r\ncontent-length: 0\r\n`
							}
						].map(({ method, lines }) => ({
							caller,
							path,
							method,
							lines: accept + lines + credential
						}))
					)
				)
			);
			const seen = ({ head, body }: Heard): string =>
				(head + body)
					.replaceAll('0perators', 'operators')
					.replace(/[0-9a-f]{32}\.[\w-]{43}/g, 'form token')
					.replace(/((?:postern_(?:cache|browser)|nonce)[=-]"?)[\w+/=-]+|__sveltekit_\w+/g, '$1')
					.replace(/^(?:date|x-request-id|content-length): .*\r\n/gim, '');
			await inBatches(sampled(requests, 5), 20, async ({ caller, path, method, lines }) => {
				const [there, nowhere] = await Promise.all([
					send(`/operators${path}`, method, lines),
					send(`/0perators${path}`, method, lines)
				]);
				expect([caller, path, method, lines, seen(there)]).toEqual([
					caller,
					path,
					method,
					lines,
					seen(nowhere)
				]);
			});
		});
	},
	{ AUTH_URL: SITE, EMAIL_CONSOLE: 'allow', ADMIN: 'on' }
);
