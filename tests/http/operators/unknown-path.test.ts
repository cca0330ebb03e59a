import { expect, test } from 'vitest';
import { bearer, call, signIn } from '../../support/http/client.ts';
import { onOneServer } from '../../support/http/fixtures.ts';
import { builtRoutes } from '../../support/http/routes.ts';

/** What differs with each response: nonces, tokens, ids and the path. */
const alike = (text: string, path: string): string =>
	text
		.replaceAll(path, 'PATH')
		.replaceAll(encodeURIComponent(path), 'PATH')
		.replace(/[0-9a-f]{32}\.[\w-]+/g, 'TOKEN')
		.replace(/nonce-?[="'\w+/-]+/g, 'NONCE')
		.replace(/__sveltekit_\w+/g, 'KIT')
		.replace(/\d{13}|[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'X');

onOneServer(
	(fixture) => {
		test('to anybody else, a page for operators is an unknown path', async () => {
			const { server } = fixture;
			const { token } = await signIn(server);
			const id = '01955000-0000-7000-8000-000000000001';
			const routes = (await builtRoutes())
				.map(({ id: route }) => route)
				.filter((route) => route.startsWith('/operators'));
			expect(routes.length).toBeGreaterThan(2);
			for (const headers of [{}, bearer(token)]) {
				for (const path of routes.map((route) => route.replace('[id]', id))) {
					for (const suffix of ['', '/', '?x=1', '/__data.json']) {
						for (const method of ['GET', 'HEAD', 'PUT', 'OPTIONS']) {
							const seen = [];
							for (const base of [path, path.replace('/operators', '/unknownpa')]) {
								const options = { method, headers: { origin: server.address, ...headers } };
								const answer = await call(server, base + suffix, options);
								const names = Object.keys(answer.headers).toSorted();
								const { status, text } = answer;
								const location = answer.headers['location'] ?? '';
								const to = String(location).replace(encodeURIComponent(base), 'PATH');
								seen.push([status, to, names, alike(text, base)]);
							}
							expect(seen[0], `${method} ${path}${suffix}`).toEqual(seen[1]);
						}
					}
				}
			}
		});
	},
	{ ADMIN: 'on' }
);
