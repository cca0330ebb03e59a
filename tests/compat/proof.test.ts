import { expect, test } from 'vitest';
import type { Challenge } from 'altcha-lib';
import { newAddress } from '../support/http/client.ts';
import { onOneServer } from '../support/http/fixtures.ts';
import { solve } from '../support/web/solve.ts';
import { dataOf, newClient, refusalOf, sendTo } from './clients.ts';

// The operator’s switch. Without it, no client gets a challenge.
onOneServer(
	(fixture) => {
		test('each send needs the answer to a challenge, until the app is a known device', async () => {
			const { server } = fixture;
			const client = newClient(server, { headers: { 'x-postern-client': 'p'.repeat(43) } });
			const email = newAddress();
			const { error } = await sendTo(client, email);
			expect(error).toMatchObject({
				status: 403,
				code: 'CHALLENGE_REQUIRED',
				message: 'Challenge required'
			});
			const { challenge } = error as { challenge?: Challenge };
			const headers = { 'X-Postern-Proof': await solve(challenge as Challenge) };
			const proven = { email, type: 'sign-in', fetchOptions: { headers } } as const;
			expect(await dataOf(client.emailOtp.sendVerificationOtp(proven))).toEqual({ success: true });
			expect(await refusalOf(client.emailOtp.sendVerificationOtp(proven))).toEqual([
				403,
				'CHALLENGE_REQUIRED'
			]);

			const otp = await server.codeFor(email);
			await dataOf(client.signIn.emailOtp({ email, otp }));
			expect(await dataOf(sendTo(client, email))).toEqual({ success: true });
		});
	},
	{ PROOF_OF_WORK: 'on' }
);
