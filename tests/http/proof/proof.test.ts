import { describe, expect, test } from 'vitest';
import { call, newAddress, nextClient, SEND, tally } from '../../support/http/client.ts';
import { onBothDatabases } from '../../support/http/fixtures.ts';
import { challengeOf, solve } from '../../support/proof/solve.ts';

describe('a proof of work over the API', () => {
	onBothDatabases((fixture) => {
		const aClient = () => {
			const client = nextClient();
			const email = newAddress();
			const send = (proof?: string) =>
				call(fixture.server, SEND, {
					json: { email },
					headers: {
						'x-forwarded-for': client,
						'x-postern-client': 'k'.repeat(43),
						...(proof !== undefined && { 'x-postern-proof': proof })
					}
				});
			return { email, send };
		};

		test('is asked for at the third send from one network, and accepted once, also concurrently', async () => {
			const { email, send } = aClient();
			expect([(await send()).status, (await send()).status]).toEqual([200, 200]);
			const challenge = challengeOf(await send());
			const proof = await solve(challenge as NonNullable<typeof challenge>);
			const answers = await Promise.all(Array.from({ length: 8 }, () => send(proof)));
			expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 403: 7 });
			await fixture.server.codeFor(email, 3);
			expect(fixture.server.codesSentTo(email)).toBe(3);
		});

		test.each([
			['cannot be an answer', 'e30='],
			['is oversized', 'A'.repeat(12_000)]
		])('that %s is refused with 400, whether a proof is needed or not', async (_, text) => {
			const { email, send } = aClient();
			const answer = await send(text);
			expect([answer.status, answer.json()]).toEqual([
				400,
				{ message: 'X-Postern-Proof is not an answer to a challenge', code: 'INVALID_PROOF' }
			]);
			expect(fixture.server.codesSentTo(email)).toBe(0);
		});
	});
});
