import { afterEach, expect, test } from 'vitest';
import { newAddress } from '../support/http/client.ts';
import { present, type Fixture } from '../support/http/fixtures.ts';
import {
	bearerClient,
	dataOf,
	holding,
	newClient,
	receiveCode,
	refusalOf,
	signedIn,
	whoIs,
	type Client
} from './clients.ts';

const DAY = 86_400;

/** Deliberate differences from better-auth's answers. The client copes with each of them. */
export const differences = (fixture: Fixture): void => {
	afterEach(() => fixture.server.shiftClock(0));

	const post = (client: Client, path: string, body: Readonly<Record<string, unknown>>) =>
		client.$fetch<unknown>(path, { method: 'POST', body });
	const sessionOf = async (client: Client) => present(await dataOf(client.getSession())).session;

	test('errors that have only a message in better-auth also have a code here', async () => {
		const { client, email } = await signedIn(fixture.server);
		const taken = newAddress('new');
		await dataOf(client.emailOtp.requestEmailChange({ newEmail: taken }));
		const otp = await fixture.server.changeCodeFor(taken);
		await signedIn(fixture.server, taken);
		const send = (type: 'change-email' | 'forget-password') =>
			client.emailOtp.sendVerificationOtp({ email, type });
		for (const [answer, code, message] of [
			[client.emailOtp.requestEmailChange({ newEmail: email }), 'EMAIL_IS_THE_SAME', /is the same/],
			[client.changeEmail({ newEmail: email }), 'EMAIL_IS_THE_SAME', /is the same/],
			[client.emailOtp.changeEmail({ newEmail: taken, otp }), 'EMAIL_ALREADY_IN_USE', /in use/],
			[post(client, '/update-user', {}), 'NO_FIELDS_TO_UPDATE', /^No fields to update$/],
			[send('change-email'), 'INVALID_OTP_TYPE', /^Invalid OTP type$/],
			[send('forget-password'), 'INVALID_OTP_TYPE', /^Invalid OTP type$/]
		] as const) {
			expect((await answer).error).toMatchObject({
				status: 400,
				code,
				message: expect.stringMatching(message)
			});
		}
		for (let send = 3; send <= 5; send += 1) await receiveCode(fixture.server, client, taken);
		expect(
			await refusalOf(client.emailOtp.sendVerificationOtp({ email: taken, type: 'sign-in' }))
		).toEqual([429, 'TOO_MANY_REQUESTS']);
	});

	test('unsupported calls are 404 and 405 with a code: passwords, and updateUser without fields, which is a GET', async () => {
		const { client } = await signedIn(fixture.server);
		const email = newAddress();
		expect(await refusalOf(client.signIn.email({ email, password: 'password' }))).toEqual([
			404,
			'NOT_FOUND'
		]);
		expect(await refusalOf(client.updateUser({}))).toEqual([405, 'METHOD_NOT_ALLOWED']);
	});

	test('an unreachable database is 503 with seconds to wait, and the client keeps its session', async () => {
		const { client, email } = await signedIn(fixture.server);
		const { held, stop } = await holding(client, email);
		await fixture.database.rows('alter table session rename to session_gone');
		try {
			const waits: (string | null)[] = [];
			const onError = ({ response }: { response: Response }) =>
				void waits.push(response.headers.get('retry-after'));
			// Bypasses the sessions that this process has cached.
			const query = { disableCookieCache: true };
			expect(await refusalOf(client.getSession({ query, fetchOptions: { onError } }))).toEqual([
				503,
				'SERVICE_UNAVAILABLE'
			]);
			expect(waits).toEqual([expect.stringMatching(/^[1-9]\d*$/)]);
			// The client also refetches by itself after a sign-in. That one may use the cache and clear
			// the error.
			const refetched = async (): Promise<number | undefined> => {
				await held.get().refetch({ query });
				return held.get().error?.status;
			};
			await expect.poll(refetched).toBe(503);
			expect(held.get().data?.user.email).toBe(email);
		} finally {
			await fixture.database.rows('alter table session_gone rename to session');
			stop();
		}
		expect(await whoIs(client)).toBe(email);
	});

	test('the token of a session in the list is a handle, and no credential', async () => {
		const { client, email, token } = await signedIn(fixture.server);
		const session = await sessionOf(client);
		const [listed] = await dataOf(client.listSessions());
		expect(listed?.token).toBe(session.token);
		expect(session.token).not.toBe(token());
		const thief = newClient(fixture.server, { auth: { type: 'Bearer', token: session.token } });
		expect(await whoIs(thief)).toBeNull();
		// The credential is no handle either.
		await dataOf(client.revokeSession({ token: token() }));
		expect(await whoIs(client)).toBe(email);
		await dataOf(client.revokeSession({ token: session.token }));
		expect(await whoIs(client)).toBeNull();
	});

	test('the credential is in the answer to the code and in no later one', async () => {
		const { client, token } = await signedIn(fixture.server);
		const given: (string | null)[] = [];
		const fetchOptions = {
			onResponse: ({ response }: { response: Response }) => {
				given.push(response.headers.get('set-auth-token'));
			}
		};
		await dataOf(client.updateUser({ name: 'Ada', fetchOptions }));
		await fixture.server.shiftClock(2 * DAY);
		await dataOf(client.getSession({ fetchOptions }));
		expect(given).toEqual([null, null]);
		expect(token()).toMatch(/^[\w-]{43}$/);
	});

	test('the answer for a deleted account has its deadline; the same code restores it', async () => {
		const { client, email } = await signedIn(fixture.server);
		await dataOf(client.updateUser({ name: 'Ada' }));
		await dataOf(client.deleteUser());
		const back = bearerClient(fixture.server).client;
		const otp = await receiveCode(fixture.server, back, email);
		const { error } = await back.signIn.emailOtp({ email, otp });
		// In errors too, a text that looks like a time becomes a Date.
		expect(error).toMatchObject({
			status: 403,
			code: 'ACCOUNT_DELETED',
			message: 'Account is scheduled for deletion',
			purgeAt: expect.any(Date)
		});
		const body = { email, otp, restore: true };
		expect(await dataOf(post(back, '/sign-in/email-otp', body))).toMatchObject({
			user: { email, name: 'Ada' }
		});
		expect(await whoIs(back)).toBe(email);
	});

	test('verifyEmail with the token of a link redirects to a page and changes nothing', async () => {
		const { client, email } = await signedIn(fixture.server);
		const newEmail = newAddress('new');
		await dataOf(client.changeEmail({ newEmail }));
		const link = await fixture.server.linkFor(newEmail);
		const token = present(/[A-Za-z0-9_-]{43,}/.exec(new URL(link).search + new URL(link).hash))[0];
		const places: (string | null)[] = [];
		const { error } = await client.verifyEmail({
			query: { token, callbackURL: '/settings' },
			fetchOptions: {
				redirect: 'manual',
				onError: ({ response }) => void places.push(response.headers.get('location'))
			}
		});
		expect(error?.status).toBe(302);
		expect(places).toEqual([`/auth/verify-email?token=${token}&callbackURL=%2Fsettings`]);
		expect(await whoIs(client)).toBe(email);
	});
};
