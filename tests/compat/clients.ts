import { createAuthClient } from 'better-auth/client';
import { emailOTPClient } from 'better-auth/client/plugins';
import { expect } from 'vitest';
import type { BuiltServer } from '../support/process/built-server.ts';
import { newAddress, nextClient } from '../support/http/client.ts';

type FetchOptions = NonNullable<
	NonNullable<Parameters<typeof createAuthClient>[0]>['fetchOptions']
>;

/** The client as its documentation sets it up, which answers `{ data, error }`. */
export const newClient = (server: BuiltServer, fetchOptions: FetchOptions = {}) =>
	createAuthClient({
		baseURL: server.address,
		plugins: [emailOTPClient()],
		fetchOptions: { ...fetchOptions, headers: headersFrom(fetchOptions) }
	});

/** Each client has its own address, so that no test uses up the limits of another. */
const headersFrom = ({ headers }: FetchOptions): Record<string, string> => ({
	'x-forwarded-for': nextClient(),
	...(headers as Record<string, string>)
});

export type Client = ReturnType<typeof newClient>;

interface Holder {
	readonly client: Client;
	/** The credential from its sign-in; empty before. */
	token(): string;
}

/** A program that keeps the token of `set-auth-token`, as the client's documentation shows. */
export const bearerClient = (server: BuiltServer, from = nextClient()): Holder => {
	let token = '';
	const client = newClient(server, {
		headers: { 'x-forwarded-for': from },
		auth: { type: 'Bearer', token: () => token },
		onSuccess: ({ response }) => {
			token = response.headers.get('set-auth-token') ?? token;
		}
	});
	return { client, token: () => token };
};

interface Jar {
	readonly client: Client;
	/** The Cookie header of the next request. */
	cookies(): string;
}

/**
 * A client that keeps cookies. The origin of a page is in `origin`, which its browser adds. The
 * client's shell for phones sends `expo-origin` and its cookies itself.
 */
export const cookieClient = (
	server: BuiltServer,
	from: Readonly<Record<string, string>> = { origin: server.address }
): Jar => {
	const jar = new Map<string, string>();
	const cookies = (): string => [...jar].map((pair) => pair.join('=')).join('; ');
	const client = newClient(server, {
		headers: { ...from },
		onRequest: (context) => {
			if (jar.size > 0) context.headers.set('cookie', cookies());
			return context;
		},
		onResponse: ({ response }) => {
			for (const line of response.headers.getSetCookie()) {
				const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(line) ?? [];
				if (/max-age=0/i.test(line)) jar.delete(name);
				else jar.set(name, value);
			}
		}
	});
	return { client, cookies };
};

interface Answered<T> {
	readonly data: T | null;
	readonly error: { readonly status: number; readonly code?: string | undefined } | null;
}

/** The data of an answer; fails on an error. */
export const dataOf = async <T>(answer: Promise<Answered<T>>): Promise<T> => {
	const { data, error } = await answer;
	if (error !== null) throw new Error(`refused: ${error.status} ${error.code}`);
	return data as T;
};

/** Status and code of a refusal; fails if there is none. */
export const refusalOf = async (
	answer: Promise<Answered<unknown>>
): Promise<readonly [number, string | undefined]> => {
	const { error, data } = await answer;
	if (error === null) throw new Error(`not refused: ${JSON.stringify(data)}`);
	return [error.status, error.code];
};

/** Requests a sign-in code. */
export const sendTo = (client: Client, email: string) =>
	client.emailOtp.sendVerificationOtp({ email, type: 'sign-in' });

/** Requests a code through a client and reads its email. */
export const receiveCode = async (
	server: BuiltServer,
	client: Client,
	email: string
): Promise<string> => {
	const before = server.codesSentTo(email);
	await dataOf(sendTo(client, email));
	return server.codeFor(email, before + 1);
};

/** Signs a client in, or up if the email address has no account. */
export const signIn = async (
	server: BuiltServer,
	client: Client,
	email = newAddress()
): Promise<string> => {
	const otp = await receiveCode(server, client, email);
	await dataOf(client.signIn.emailOtp({ email, otp }));
	return email;
};

interface SignedInClient extends Holder {
	readonly email: string;
}

export const signedIn = async (server: BuiltServer, as?: string): Promise<SignedInClient> => {
	const holder = bearerClient(server);
	return { ...holder, email: await signIn(server, holder.client, as) };
};

/** The email address of the signed-in client; null for none. */
export const whoIs = async (client: Client): Promise<string | null> =>
	(await dataOf(client.getSession()))?.user.email ?? null;

/** The session as the client gives it to its listeners; it makes one request to get it. */
export const holding = async (client: Client, email: string) => {
	const held = client.useSession;
	const stop = held.listen(() => undefined);
	await held.get().refetch();
	// After signing in the client requests the session again, which ends the earlier request.
	await expect.poll(() => held.get().data?.user.email).toBe(email);
	return { held, stop };
};
