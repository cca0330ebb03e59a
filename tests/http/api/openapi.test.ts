import fc from 'fast-check';
import type { OutgoingHttpHeaders } from 'node:http';
import { describe, expect, test } from 'vitest';
import {
	apiDocument,
	documentedOperations,
	JSON_TYPE,
	validatorAt,
	type DocumentedOperation
} from '../../support/api/document.ts';
import { METHODS as DOCUMENTED } from '#lib/adapters/web/api/openapi/types.ts';
import { bodyFor, queryFor } from './bodies.ts';
import {
	bearer,
	call,
	rounds,
	signIn,
	whoIs,
	API,
	type SignedIn
} from '../../support/http/client.ts';
import { builtRoutes } from '../../support/http/routes.ts';
import { onBothInLongForm, onOneServer } from '../../support/http/fixtures.ts';

const DOCUMENT = `${API}/openapi.json`;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const WHO = ['stranger', 'cookie', 'bearer'] as const;
type Who = (typeof WHO)[number];

const nameOf = ({ path, method }: DocumentedOperation): string => `${method.toUpperCase()} ${path}`;
const needsSession = ({ operation }: DocumentedOperation): boolean =>
	operation.security.length === 2;

onOneServer(
	(fixture) => {
		test('the document is public, cacheable for five minutes, and describes this installation', async () => {
			const answer = await call(fixture.server, DOCUMENT);
			expect([answer.status, answer.headers['content-type']]).toEqual([200, JSON_TYPE]);
			expect(answer.headers['cache-control']).toBe('public, max-age=300');
			const served = answer.json() as typeof apiDocument;
			expect(served.servers).toEqual([expect.objectContaining({ url: fixture.server.address })]);
			expect(served.paths).toEqual(JSON.parse(JSON.stringify(apiDocument.paths)));
			expect((await call(fixture.server, DOCUMENT)).text).toBe(answer.text);
		});
	},
	{ AUTH_ENTRY: 'single' }
);

describe('the document and the routes of the build', () => {
	test('agree: every endpoint is documented, except webhooks, and everything documented exists', async () => {
		const built = (await builtRoutes()).filter(
			({ id, endpoint }) =>
				id.startsWith('/api/') &&
				!id.startsWith('/api/hooks/') &&
				endpoint !== null &&
				!id.includes('[...')
		);
		const handled = await Promise.all(
			built.map(async ({ id, endpoint }) =>
				Object.keys((await endpoint?.()) ?? {})
					.filter((name) => METHODS.includes(name))
					.map((method) => `${method} ${id.replaceAll(/\[(\w+)\]/g, '{$1}')}`)
			)
		);
		expect(handled.flat().sort()).toEqual(documentedOperations.map(nameOf).sort());
	});
});

onBothInLongForm((fixture) => {
	/** Calls that end the caller’s session need a new session each time. */
	const sessions: Partial<Record<'cookie' | 'bearer', SignedIn>> = {};
	const signedIn = async (kind: 'cookie' | 'bearer'): Promise<SignedIn> => {
		const held = sessions[kind];
		if (held && (await whoIs(fixture.server, bearer(held.token))) !== null) return held;
		return (sessions[kind] = await signIn(fixture.server));
	};
	const headersOf = async (who: Who): Promise<OutgoingHttpHeaders> => {
		if (who === 'stranger') return {};
		const { cookie, token } = await signedIn(who);
		return who === 'bearer' ? bearer(token) : { cookie, origin: fixture.server.address };
	};

	test('Q08 for any input to a documented call, by any caller, the answer is documented, is not a 5xx, and follows the rules for bodies and sessions', async () => {
		const bySucceeding = new Set<string>();
		for (const one of documentedOperations) {
			const { path, method, operation } = one;
			const example = operation.requestBody?.content[JSON_TYPE]?.example;
			const hasBody = operation.requestBody !== undefined;
			// The one-click call documents a form and no JSON body. So it must refuse each of these bodies.
			const isBody = operation.requestBody?.content[JSON_TYPE]
				? validatorAt('paths', path, method, 'requestBody', 'content', JSON_TYPE, 'schema')
				: null;
			await fc.assert(
				fc.asyncProperty(
					fc.constantFrom(...WHO),
					bodyFor(operation),
					queryFor(operation),
					async (who, body, query) => {
						const sent = body === undefined ? undefined : JSON.stringify(body);
						// The client itself fails on an answer that is undocumented or does not conform.
						const answer = await call(fixture.server, path + query, {
							method: method.toUpperCase(),
							headers: {
								...(await headersOf(who)),
								...(sent === undefined ? {} : { 'content-type': JSON_TYPE })
							},
							...(sent === undefined ? {} : { body: sent })
						});
						expect(answer.status).toBeLessThan(500);
						if (answer.status < 400) bySucceeding.add(`${who} ${nameOf(one)}`);
						if (answer.status === 403 || answer.status === 429) return;
						if (isBody !== null && !isBody(sent === undefined ? undefined : body)) {
							expect([400, 415]).toContain(answer.status);
							return;
						}
						// A JSON schema cannot express every rule, so 400 is valid as well.
						if (needsSession(one) && who === 'stranger') {
							expect([401, ...(hasBody ? [400] : [])]).toContain(answer.status);
						}
						if (needsSession(one) && who !== 'stranger') expect(answer.status).not.toBe(401);
					}
				),
				// On failure, reports the seed and the shrunk call.
				{ numRuns: rounds(4, 400), verbose: 1, examples: WHO.map((who) => [who, example, '']) }
			);
		}
		for (const one of documentedOperations) {
			const name = nameOf(one);
			expect([name, bySucceeding.has(`stranger ${name}`) && needsSession(one)]).toEqual([
				name,
				false
			]);
		}
		// Calls passed the checks before the handlers.
		for (const name of ['POST /api/auth/update-user', 'POST /api/auth/delete-user']) {
			expect(bySucceeding).toContain(`bearer ${name}`);
		}
	});

	test('Q08 an unsupported method is 405 with the list of supported ones, and HEAD answers like GET', async () => {
		const headers = await headersOf('bearer');
		for (const [path, item] of Object.entries(apiDocument.paths)) {
			const has = DOCUMENTED.filter((method) => item[method]).flatMap((method) =>
				method === 'get' ? ['GET', 'HEAD'] : method.toUpperCase()
			);
			for (const method of [...METHODS, 'HEAD'].filter((name) => !has.includes(name))) {
				const answer = await call(fixture.server, path, { method, headers });
				expect([answer.status, answer.headers.allow, path, method]).toEqual([
					...[405, has.join(', '), path, method]
				]);
			}
			if (item.get === undefined) continue;
			const get = await call(fixture.server, path, { headers });
			const head = await call(fixture.server, path, { method: 'HEAD', headers });
			expect([head.status, head.text, path]).toEqual([get.status, '', path]);
		}
	});
});
