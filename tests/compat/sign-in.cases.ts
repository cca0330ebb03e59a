import { emailOTPClient } from 'better-auth/client/plugins';
import { afterEach, expect, test } from 'vitest';
import { newAddress, wrongCode } from '../support/http/client.ts';
import { present, type Fixture } from '../support/http/fixtures.ts';
import { bearerClient, dataOf, receiveCode, refusalOf, signedIn, whoIs } from './clients.ts';

const CODE_LIFETIME = 600;

/** Signing up and in by code. */
export const signingIn = (fixture: Fixture): void => {
	afterEach(() => fixture.server.shiftClock(0));

	test('a code creates an account, with the given name and image', async () => {
		const { client, token } = bearerClient(fixture.server);
		const email = newAddress();
		expect(await client.emailOtp.sendVerificationOtp({ email, type: 'sign-in' })).toEqual({
			data: { success: true },
			error: null
		});
		const image = 'https://example.com/ada.png';
		const otp = await fixture.server.codeFor(email);
		const { data, error } = await client.signIn.emailOtp({ email, otp, name: 'Ada', image });
		expect(error).toBeNull();
		expect(data).toEqual({
			token: token(),
			user: {
				id: expect.any(String),
				name: 'Ada',
				email,
				emailVerified: true,
				image,
				createdAt: expect.any(Date),
				updatedAt: expect.any(Date)
			}
		});
		expect(await whoIs(client)).toBe(email);
	});

	test('a known user signs in with the same answer, and keeps the name they have', async () => {
		const { email, client: first } = await signedIn(fixture.server);
		const known = present(await dataOf(first.getSession())).user;
		const { client } = bearerClient(fixture.server);
		const otp = await receiveCode(fixture.server, client, email);
		const { user, token } = await dataOf(client.signIn.emailOtp({ email, otp, name: 'Other' }));
		expect(user).toEqual(known);
		expect(token).toMatch(/^[\w-]{43}$/);
	});

	test('the error codes are those that the client knows', async () => {
		const { $ERROR_CODES } = emailOTPClient();
		const { client } = bearerClient(fixture.server);
		const email = newAddress();
		const otp = await receiveCode(fixture.server, client, email);
		const enter = (code: string) => client.signIn.emailOtp({ email, otp: code });
		const expected = ({ code, message }: { code: string; message: string }, status: number) => ({
			code,
			message,
			status
		});

		for (let guess = 1; guess <= 5; guess += 1) {
			const { data, error } = await enter(wrongCode(otp, guess));
			expect(data).toBeNull();
			expect(error).toMatchObject(expected($ERROR_CODES.INVALID_OTP, 400));
		}
		expect((await enter(otp)).error).toMatchObject(expected($ERROR_CODES.TOO_MANY_ATTEMPTS, 403));
		expect((await enter(otp)).error).toMatchObject(expected($ERROR_CODES.INVALID_OTP, 400));

		const late = await receiveCode(fixture.server, client, email);
		await fixture.server.shiftClock(CODE_LIFETIME + 1);
		expect((await enter(late)).error).toMatchObject(expected($ERROR_CODES.OTP_EXPIRED, 400));
	});

	test('checkVerificationOtp accepts a right code and keeps it usable', async () => {
		const { client } = await signedIn(fixture.server);
		const email = present(await whoIs(client));
		const otp = await receiveCode(fixture.server, client, email);
		const check = (code: string) =>
			client.emailOtp.checkVerificationOtp({ email, type: 'sign-in', otp: code });
		expect(await dataOf(check(otp))).toEqual({ success: true });
		expect(await refusalOf(check(wrongCode(otp)))).toEqual([400, 'INVALID_OTP']);
		expect((await dataOf(client.signIn.emailOtp({ email, otp }))).user.email).toBe(email);
	});

	test('verifyEmail uses a code of its own kind and opens no session', async () => {
		const { email, token } = await signedIn(fixture.server);
		const newClientOf = bearerClient(fixture.server);
		const send = (to: string) =>
			dataOf(
				newClientOf.client.emailOtp.sendVerificationOtp({ email: to, type: 'email-verification' })
			);
		await send(email);
		const otp = await fixture.server.verificationCodeFor(email);
		const verify = (code: string) => newClientOf.client.emailOtp.verifyEmail({ email, otp: code });
		expect(await refusalOf(verify(wrongCode(otp)))).toEqual([400, 'INVALID_OTP']);
		const { status, token: none, user } = await dataOf(verify(otp));
		expect([status, none]).toEqual([true, null]);
		expect(user).toMatchObject({ email, emailVerified: true, createdAt: expect.any(Date) });
		expect(newClientOf.token()).toBe('');
		expect(token()).not.toBe('');
		expect(await whoIs(newClientOf.client)).toBeNull();

		// The same answer for an address without an account, and no email.
		const unknown = newAddress();
		expect(await send(unknown)).toEqual({ success: true });
		// A later email has been sent, so the one before it would have been, too.
		await send(email);
		await fixture.server.mailFor('email-verification code', email, 2);
		expect(fixture.server.mailsSentTo('email-verification code', unknown)).toBe(0);
	});
};
