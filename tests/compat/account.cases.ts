import { expect, test } from 'vitest';
import { backdateSignIn } from '../support/http/account.ts';
import { newAddress, wrongCode } from '../support/http/client.ts';
import { present, type Fixture } from '../support/http/fixtures.ts';
import { bearerClient, dataOf, receiveCode, refusalOf, signedIn, whoIs } from './clients.ts';

/** Changes that users make to their account. */
export const account = (fixture: Fixture): void => {
	const askForChange = async (client: Awaited<ReturnType<typeof signedIn>>['client']) => {
		const newEmail = newAddress('new');
		const response = await dataOf(client.emailOtp.requestEmailChange({ newEmail }));
		expect(response).toEqual({ success: true });
		return { newEmail, otp: await fixture.server.changeCodeFor(newEmail) };
	};

	test('updateUser changes name and image, and null removes the image', async () => {
		const { client } = await signedIn(fixture.server);
		const image = 'https://example.com/ada.png';
		expect(await client.updateUser({ name: 'Ada', image })).toEqual({
			data: { status: true },
			error: null
		});
		const before = present(await dataOf(client.getSession())).user;
		expect(before).toMatchObject({ name: 'Ada', image });
		await dataOf(client.updateUser({ image: null }));
		const after = present(await dataOf(client.getSession())).user;
		expect(after).toMatchObject({ name: 'Ada', image: null });
		expect(after.updatedAt.getTime()).toBeGreaterThanOrEqual(before.updatedAt.getTime());
	});

	test('updateUser does not change the address', async () => {
		const { client, email } = await signedIn(fixture.server);
		const body = { name: 'Ada', email: newAddress() };
		expect((await client.$fetch('/update-user', { method: 'POST', body })).error).toMatchObject({
			status: 400,
			code: 'EMAIL_CAN_NOT_BE_UPDATED',
			message: 'Email can not be updated'
		});
		expect(await whoIs(client)).toBe(email);
	});

	test('emailOtp.changeEmail moves the account by the code that went to the new address', async () => {
		const { client, email } = await signedIn(fixture.server);
		const { newEmail, otp } = await askForChange(client);
		expect(await refusalOf(client.emailOtp.changeEmail({ newEmail, otp: wrongCode(otp) }))).toEqual(
			[400, 'INVALID_OTP']
		);
		expect(await whoIs(client)).toBe(email);
		expect(await dataOf(client.emailOtp.changeEmail({ newEmail, otp }))).toEqual({ success: true });
		expect(await whoIs(client)).toBe(newEmail);
		const { user } = present(await dataOf(client.getSession()));
		expect(user.emailVerified).toBe(true);
		// The code is used, and the account has its new address.
		expect(await refusalOf(client.emailOtp.changeEmail({ newEmail, otp }))).toEqual([
			400,
			'INVALID_OTP'
		]);
		const again = await signedIn(fixture.server, newEmail);
		expect(present(await dataOf(again.client.getSession())).user.id).toBe(user.id);
	});

	test('S05 a session of any age needs only the code that went to the new address', async () => {
		const { client, email } = await signedIn(fixture.server);
		await backdateSignIn(fixture, { email }, 30 * 86_400);
		const { newEmail, otp } = await askForChange(client);
		expect(await dataOf(client.emailOtp.changeEmail({ newEmail, otp }))).toEqual({ success: true });
		expect(await whoIs(client)).toBe(newEmail);
		expect(fixture.server.mailsSentTo('reauthentication code', email)).toBe(0);
	});

	test('changeEmail sends a link that redirects back to a trusted URL', async () => {
		const { client } = await signedIn(fixture.server);
		const newEmail = newAddress('new');
		expect(await client.changeEmail({ newEmail, callbackURL: '/settings' })).toEqual({
			data: { status: true },
			error: null
		});
		expect(await fixture.server.linkFor(newEmail)).toContain(`${fixture.server.address}/auth/`);
		const away = client.changeEmail({ newEmail, callbackURL: 'https://evil.example/' });
		expect((await away).error).toMatchObject({
			status: 403,
			code: 'INVALID_CALLBACK_URL',
			message: 'Invalid callbackURL'
		});
		expect(fixture.server.mailsSentTo('email-change link', newEmail)).toBe(1);
	});

	test('deleteUser deletes the account with its sessions', async () => {
		const { client, email } = await signedIn(fixture.server);
		const second = await signedIn(fixture.server, email);
		expect(await client.deleteUser()).toEqual({
			data: { success: true, message: 'User deleted' },
			error: null
		});
		expect(await whoIs(client)).toBeNull();
		expect(await whoIs(second.client)).toBeNull();
		const { client: signedOut } = bearerClient(fixture.server);
		const otp = await receiveCode(fixture.server, signedOut, email);
		expect((await signedOut.signIn.emailOtp({ email, otp })).data).toBeNull();
	});
};
