import { expect, test } from 'vitest';
import type { Puzzle } from '../../src/lib/domain/proof/puzzles.ts';
import { newAddress } from '../support/http/client.ts';
import type { Fixture } from '../support/http/fixtures.ts';
import { solve } from '../support/proof/solve.ts';
import { newClient, refusalOf } from './clients.ts';

/** Apps that are asked for a proof of work. */
export const proofOfWork = (fixture: Fixture): void => {
	test('the error contains the challenge, and fetchOptions.headers its answer', async () => {
		const client = newClient(fixture.server, { headers: { 'x-postern-client': 'p'.repeat(43) } });
		const call = { email: newAddress(), type: 'sign-in' } as const;
		for (let sent = 1; sent <= 2; sent += 1) {
			expect((await client.emailOtp.sendVerificationOtp(call)).data).toEqual({ success: true });
		}
		const { error } = await client.emailOtp.sendVerificationOtp(call);
		expect(error).toMatchObject({ status: 403, code: 'CHALLENGE_REQUIRED' });
		const { challenge } = error as { challenge?: Puzzle };
		const headers = { 'X-Postern-Proof': await solve(challenge as Puzzle) };
		const proven = { ...call, fetchOptions: { headers } };
		expect((await client.emailOtp.sendVerificationOtp(proven)).data).toEqual({ success: true });
		expect(await refusalOf(client.emailOtp.sendVerificationOtp(proven))).toEqual([
			403,
			'CHALLENGE_REQUIRED'
		]);
	});
};
