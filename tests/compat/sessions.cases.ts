import { afterEach, expect, test } from 'vitest';
import { present, type Fixture } from '../support/http/fixtures.ts';
import {
	bearerClient,
	cookieClient,
	dataOf,
	holding,
	newClient,
	signedIn,
	signIn,
	whoIs,
	type Client
} from './clients.ts';

const DAY = 86_400;

/** The session: as a bearer, in cookies, in the client’s own store. */
export const sessions = (fixture: Fixture): void => {
	afterEach(() => fixture.server.shiftClock(0));

	const sessionOf = async (client: Client) => present(await dataOf(client.getSession())).session;

	test('getSession is null without a session and returns session and user after sign-in', async () => {
		const { client } = bearerClient(fixture.server);
		expect(await client.getSession()).toEqual({ data: null, error: null });
		const email = await signIn(fixture.server, client);
		const { session, user } = present(await dataOf(client.getSession()));
		expect(user).toMatchObject({ email, emailVerified: true, name: '', image: null });
		expect(session).toEqual({
			id: expect.any(String),
			token: expect.any(String),
			userId: user.id,
			expiresAt: expect.any(Date),
			createdAt: expect.any(Date),
			updatedAt: expect.any(Date),
			ipAddress: expect.stringMatching(/^10\./),
			userAgent: expect.any(String)
		});
		expect(session.expiresAt.getTime()).toBe(session.updatedAt.getTime() + 60 * DAY * 1000);
		// JSON turns the Date back into the text that the API uses.
		expect(JSON.parse(JSON.stringify(user.createdAt))).toMatch(/^\d{4}-.*\.\d{3}Z$/);
	});

	test('a token works in any client that sends it as a bearer, also percent-encoded', async () => {
		const { email, token } = await signedIn(fixture.server);
		for (const sent of [token(), encodeURIComponent(token())]) {
			const other = newClient(fixture.server, { auth: { type: 'Bearer', token: sent } });
			expect(await whoIs(other)).toBe(email);
		}
		const wrong = newClient(fixture.server, { auth: { type: 'Bearer', token: `${token()}x` } });
		expect(await whoIs(wrong)).toBeNull();
	});

	test('sessions can be ended one by one, all others together, and all together', async () => {
		const { email, client } = await signedIn(fixture.server);
		const [second, third, fourth] = [
			await signedIn(fixture.server, email),
			await signedIn(fixture.server, email),
			await signedIn(fixture.server, email)
		];
		const own = await sessionOf(client);
		const listed = await dataOf(client.listSessions());
		expect(listed).toHaveLength(4);
		expect(listed).toContainEqual(own);

		const { token } = await sessionOf(second.client);
		expect(await dataOf(client.revokeSession({ token }))).toEqual({ status: true });
		expect(await whoIs(second.client)).toBeNull();
		// An ended session, and one of another user: the same response, and nothing changes.
		const otherUser = await signedIn(fixture.server);
		for (const handle of [token, (await sessionOf(otherUser.client)).token]) {
			expect(await dataOf(client.revokeSession({ token: handle }))).toEqual({ status: true });
		}
		expect(await whoIs(otherUser.client)).toBe(otherUser.email);
		expect(await whoIs(third.client)).toBe(email);

		expect(await dataOf(client.revokeOtherSessions())).toEqual({ status: true });
		expect(await whoIs(third.client)).toBeNull();
		expect(await whoIs(fourth.client)).toBeNull();
		expect(await dataOf(client.listSessions())).toEqual([own]);

		expect(await dataOf(client.revokeSessions())).toEqual({ status: true });
		expect(await whoIs(client)).toBeNull();
	});

	test('signOut ends the session, and succeeds without one', async () => {
		const { client } = await signedIn(fixture.server);
		expect(await client.signOut()).toEqual({ data: { success: true }, error: null });
		expect(await whoIs(client)).toBeNull();
		expect(await dataOf(client.signOut())).toEqual({ success: true });
		expect(await dataOf(newClient(fixture.server).signOut())).toEqual({ success: true });
	});

	test.each([
		['a page', 'origin'],
		['the client’s shell for phones', 'expo-origin']
	])('%s keeps its session in cookies', async (_name, header) => {
		const { client, cookies } = cookieClient(fixture.server, { [header]: fixture.server.address });
		const email = await signIn(fixture.server, client);
		expect(cookies()).toContain('postern_session=');
		expect(await whoIs(client)).toBe(email);
		expect(await dataOf(client.updateUser({ name: 'Ada' }))).toEqual({ status: true });
		expect(present(await dataOf(client.getSession())).user.name).toBe('Ada');
		expect(await dataOf(client.signOut())).toEqual({ success: true });
		expect(cookies()).not.toContain('postern_session=');
		expect(await whoIs(client)).toBeNull();
	});

	test('the client’s session follows its own calls', async () => {
		const { client } = bearerClient(fixture.server);
		const held = client.useSession;
		const stop = held.listen(() => undefined);
		const settled = (email: string | null) =>
			expect
				.poll(() => [held.get().isRefetching, held.get().data?.user.email ?? null])
				.toEqual([false, email]);
		try {
			expect(held.get()).toMatchObject({ data: null, isPending: true });
			const email = await signIn(fixture.server, client);
			await settled(email);
			expect(held.get().data?.session.expiresAt).toBeInstanceOf(Date);
			await dataOf(client.updateUser({ name: 'Ada' }));
			await expect.poll(() => held.get().data?.user.name).toBe('Ada');
			await dataOf(client.signOut());
			await settled(null);
			expect(held.get().error).toBeNull();
		} finally {
			stop();
		}
	});

	test('the client keeps its session during a limit, and removes it when the session has ended', async () => {
		const { client, email } = await signedIn(fixture.server);
		const { held, stop } = await holding(client, email);
		const refetch = async () => {
			await held.get().refetch();
			const { data, error } = held.get();
			return [data?.user.email ?? null, error?.status ?? error?.name ?? null];
		};
		try {
			let limited = await refetch();
			for (let call = 1; call <= 100 && limited[1] === null; call += 1) limited = await refetch();
			expect(limited).toEqual([email, 429]);
			await fixture.server.passMonotonic(60);
			expect(await refetch()).toEqual([email, null]);

			await dataOf((await signedIn(fixture.server, email)).client.revokeSessions());
			expect(await refetch()).toEqual([null, null]);
		} finally {
			stop();
		}
	});
};
