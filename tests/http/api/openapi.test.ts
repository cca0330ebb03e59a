import fc from 'fast-check';
import type { OutgoingHttpHeaders } from 'node:http';
import { expect, test } from 'vitest';
import {
	documentedOperations,
	JSON_TYPE,
	validatorAt,
	type DocumentedOperation
} from '../../support/api/document.ts';
import { bodyFor, queryFor } from './bodies.ts';
import { bearer, call, rounds, signIn, whoIs, type SignedIn } from '../../support/http/client.ts';
import { onBothInLongForm } from '../../support/http/fixtures.ts';

const WHO = ['stranger', 'cookie', 'bearer'] as const;
type Who = (typeof WHO)[number];

const nameOf = ({ path, method }: DocumentedOperation): string => `${method.toUpperCase()} ${path}`;
const needsSession = ({ operation }: DocumentedOperation): boolean =>
	operation.security.length === 2;

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
});
