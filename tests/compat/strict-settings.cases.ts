import { expect, test } from 'vitest';
import { backdateSignIn } from '../support/http/account.ts';
import { newAddress, wrongCode } from '../support/http/client.ts';
import type { Fixture } from '../support/http/fixtures.ts';
import { dataOf, refusalOf, signedIn, whoIs } from './clients.ts';

export const STRICT_SETTINGS = { EMAIL_CHANGE_LINK: 'off', EMAIL_CHANGE_REPROOF: 'on' };

/** A change of address under the settings that make it harder. */
export const strictSettings = (fixture: Fixture): void => {
	test('S05 a session that is not fresh repeats the call with the code from the current address', async () => {
		const { client, email } = await signedIn(fixture.server);
		const newEmail = newAddress('new');
		const request = (otp?: string) =>
			client.emailOtp.requestEmailChange({ newEmail, ...(otp === undefined ? {} : { otp }) });
		await backdateSignIn(fixture, { email });
		expect(await refusalOf(request())).toEqual([403, 'SESSION_NOT_FRESH']);
		const otp = await fixture.server.mailFor('reauthentication code', email);
		expect(await refusalOf(request(wrongCode(otp)))).toEqual([400, 'INVALID_OTP']);
		expect(fixture.server.mailsSentTo('email-change code', newEmail)).toBe(0);
		expect(await dataOf(request(otp))).toEqual({ success: true });
		const code = await fixture.server.changeCodeFor(newEmail);
		await dataOf(client.emailOtp.changeEmail({ newEmail, otp: code }));
		expect(await whoIs(client)).toBe(newEmail);
	});
};
