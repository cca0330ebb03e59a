import { beforeAll, describe, expect, test } from 'vitest';
import {
	bearer,
	call,
	inBatches,
	signIn,
	type Answer,
	sampled
} from '../../support/http/client.ts';
import { builtRoutes, pathOf, type Route } from '../../support/http/routes.ts';
import { onOneServer } from '../../support/http/fixtures.ts';
import { PROTECTED_ROUTES, PUBLIC_ROUTES } from './every-route.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

const encodeLetter = (path: string): string =>
	path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);

const VARIANTS: Readonly<Record<string, (path: string) => string>> = {
	plain: (path) => path,
	data: (path) => `${path === '/' ? '' : path}/__data.json`,
	'trailing slash': (path) => `${path}/`,
	'double slash': (path) => `/${path}`,
	'slashes within': (path) => path.replaceAll('/', '//'),
	'dots encoded': (path) => `/auth/%2e%2e${path}`,
	'upper case': (path) => path.toUpperCase(),
	encoded: encodeLetter,
	'slash encoded': (path) => `/${path.slice(1).replaceAll('/', '%2f')}`,
	malformed: (path) => `${path}%zz`
};

const REFUSALS = [302, 303, 307, 308, 400, 401, 403, 404, 405];

/** Whether a data request is redirected, by its body, to a path of this site. */
const isRedirectJson = ({ status, text }: Answer): boolean => {
	if (status !== 200 || !text.startsWith('{"type":"redirect"')) return false;
	return /^\/(?![/\\])/.test((JSON.parse(text) as { location: string }).location);
};

/** Whether two answers are the same without the token of the forms, which differs in each. */
const isSameData = (one: Answer, other: Answer | undefined): boolean => {
	const [a, b] = [one.text, other?.text].map((text) =>
		text?.replace(/"[0-9a-f]{32}\.[\w-]{43}"/, '"token"')
	);
	return a === b;
};

describe('route protection', () => {
	let routes: readonly Route[] = [];

	onOneServer((fixture) => {
		beforeAll(async () => {
			routes = await builtRoutes();
		});

		test('E21 every route of the build is on exactly one of the reviewed lists (CVE-2026-41427, GHSA-xr8f-h2gw-9xh6, GHSA-jmcv-4jfc-6qqj)', () => {
			const listed = [...Object.keys(PUBLIC_ROUTES), ...PROTECTED_ROUTES];
			expect(new Set(listed).size).toBe(listed.length);
			expect([...routes.map(({ id }) => id)].sort()).toEqual(listed.sort());
		});

		test('E21 H01 no unlisted route responds to an unauthenticated request, in any method and spelling, and none redirects to another site (CVE-2026-55106)', async () => {
			const all = routes.flatMap(({ id, page }) =>
				Object.entries(VARIANTS).flatMap(([variant, spell]) =>
					METHODS.map((method) => ({
						id,
						variant,
						method,
						path: spell(pathOf(id)),
						page: page !== null
					}))
				)
			);
			const some = new Set(sampled(all, 11));
			// Answers to other methods are compared with the answer to GET.
			const requests = all.filter((one) => one.method === 'GET' || some.has(one));
			const answers = await inBatches(requests, 40, ({ method, path }) =>
				call(fixture.server, path, { method, headers: { host: 'evil.example' } })
			);
			const byRequest = new Map(requests.map(({ method, path }, i) => [method + path, answers[i]]));
			const given = requests.flatMap((request, i) => {
				const answer = answers[i];
				const allowed = PUBLIC_ROUTES[request.id] ?? [];
				if (answer === undefined || REFUSALS.includes(answer.status)) return [];
				if (isRedirectJson(answer) || allowed.includes(request.method)) return [];
				// HEAD is GET without its body, so the body of GET says whether it was a refusal.
				const got = byRequest.get(`GET${request.path}`);
				if (request.method === 'HEAD' && answer.text === '' && got && isRedirectJson(got))
					return [];
				// Allowed: the refusal of a POST without a form, the framework's list of a page's methods,
				// and the data of a public page, which the framework returns for any method.
				if (request.method === 'POST' && answer.status === 415) return [];
				const ofPublicPage = request.id in PUBLIC_ROUTES && request.page;
				if (ofPublicPage && request.method === 'OPTIONS' && answer.status === 204) return [];
				const isBodyless = request.method === 'HEAD' && answer.text === '';
				if (ofPublicPage && request.variant === 'data' && (isBodyless || isSameData(answer, got)))
					return [];
				return [{ ...request, status: answer.status, text: answer.text.slice(0, 200) }];
			});
			expect(given).toEqual([]);
			const away = answers.flatMap(({ headers: { location } }, i) => {
				if (location === undefined) return [];
				const from = new URL(fixture.server.address + (requests[i]?.path ?? ''));
				return new URL(location, from).origin === fixture.server.address ? [] : [location];
			});
			expect(away).toEqual([]);
		});

		test('E21 an unknown path under a protected route reveals nothing without a session, and is 404 with one', async () => {
			const { token } = await signIn(fixture.server);
			for (const [path, stranger] of [
				['/no-such-page', 303],
				['/app/no-such-page', 303],
				['/api/no-such-thing', 401],
				['/authors', 303]
			] as const) {
				expect((await call(fixture.server, path)).status).toBe(stranger);
				expect((await call(fixture.server, path, { headers: bearer(token) })).status).toBe(404);
			}
		});
	});
});
