import { expect, test } from 'vitest';
import { newAddress, times } from '../support/http/client.ts';
import { rowsOf } from '../support/http/account.ts';
import type { Fixture } from '../support/http/fixtures.ts';
import { dataOf, newClient, receiveCode, refusalOf, sendTo, type Client } from './clients.ts';

/** Apps that send `X-Postern-Client`, a header like any other to the client. */
export const knownDevices = (fixture: Fixture): void => {
	const app = (key: string): Client =>
		newClient(fixture.server, { headers: { 'x-postern-client': key.repeat(22) } });

	test('T07 a code that an app requests with its key can be entered and checked with that key alone', async () => {
		const email = newAddress();
		const mine = app('m');
		const otp = await receiveCode(fixture.server, mine, email);
		for (const other of [app('o'), newClient(fixture.server)]) {
			for (const _ of times(6, () => null)) {
				const refused = await refusalOf(other.signIn.emailOtp({ email, otp }));
				expect(refused).toEqual([400, 'INVALID_OTP']);
			}
		}
		const asked = { email, otp, type: 'sign-in' } as const;
		expect(await refusalOf(app('o').emailOtp.checkVerificationOtp(asked))).toEqual([
			400,
			'INVALID_OTP'
		]);
		expect(await dataOf(mine.emailOtp.checkVerificationOtp(asked))).toEqual({ success: true });
		expect((await dataOf(mine.signIn.emailOtp({ email, otp }))).user.email).toBe(email);
	});

	test('T01 after a sign-in with its key the app is a known device, and no other app is', async () => {
		const email = newAddress();
		const mine = app('m');
		const otp = await receiveCode(fixture.server, mine, email);
		await dataOf(mine.signIn.emailOtp({ email, otp }));
		expect(await rowsOf(fixture, 'device', email)).toHaveLength(1);
		// The app's first code was one of the five sends that unknown clients share.
		for (const _ of times(4, () => null)) await dataOf(sendTo(newClient(fixture.server), email));
		for (const unknown of [newClient(fixture.server), app('o')]) {
			expect((await refusalOf(sendTo(unknown, email)))[0]).toBe(429);
		}
		for (const _ of times(5, () => null)) await dataOf(sendTo(mine, email));
		expect((await refusalOf(sendTo(mine, email)))[0]).toBe(429);
	});

	test('a malformed key is refused', async () => {
		const refused = await refusalOf(sendTo(app('+'), newAddress()));
		expect(refused).toEqual([400, 'INVALID_CLIENT_KEY']);
	});
};
