import type { SmtpSink } from '../tests/support/mail/smtp-sink.ts';
import { addressOf } from './addresses.ts';
import { codesMailedTo } from './mailbox.ts';

/** A signed-in account. */
export interface Account {
	readonly token: string;
	/** By name. The first one is the session cookie. */
	readonly cookies: Map<string, string>;
}

export const SEND = '/api/auth/email-otp/send-verification-otp';
export const SIGN_IN = '/api/auth/sign-in/email-otp';
export const GET_SESSION = '/api/auth/get-session';

export const JSON_BODY = { 'content-type': 'application/json' };

export interface Site {
	readonly server: { readonly url: string };
	readonly origin: string;
}

/**
 * Signs in an account for each email address. The product and the peer have the same API, so the
 * same requests work for both.
 */
export const openAccounts = async (
	{ server: { url }, origin }: Site,
	sink: SmtpSink,
	emails: readonly string[]
): Promise<readonly Account[]> => {
	const post = async (path: string, number: number, body: unknown): Promise<Response> => {
		const headers = { ...JSON_BODY, origin, 'x-forwarded-for': addressOf(number) };
		const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
		if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
		return answer;
	};
	for (const [number, email] of emails.entries()) {
		await (await post(SEND, number, { email, type: 'sign-in' })).text();
	}
	const codes = await codesMailedTo(sink, emails);
	const accounts: Account[] = [];
	for (const [number, email] of emails.entries()) {
		const answer = await post(SIGN_IN, number, { email, otp: codes.get(email) });
		const { token } = (await answer.json()) as { token: string };
		accounts.push({ token, cookies: cookiesSetBy(answer) });
	}
	return accounts;
};

/** Only the session cookie. */
export const sessionCookieOf = ({ cookies }: Account): string => written([...cookies].slice(0, 1));

/** All cookies that a browser would send. */
export const allCookiesOf = ({ cookies }: Account): string => written([...cookies]);

const written = (cookies: readonly (readonly [string, string])[]): string =>
	cookies.map(([name, value]) => `${name}=${value}`).join('; ');

/**
 * Requests a session cache as a browser without one, and stores the cookies of that response and
 * of the response to `path`.
 */
export const renewCache = async (
	url: string,
	path: string,
	account: Account,
	number: number
): Promise<void> => {
	const headers = { 'x-forwarded-for': addressOf(number), cookie: sessionCookieOf(account) };
	for (const requestedPath of [GET_SESSION, path]) {
		const answer = await fetch(url + requestedPath, { headers, redirect: 'manual' });
		await answer.text();
		for (const [name, value] of cookiesSetBy(answer)) account.cookies.set(name, value);
	}
	if (account.cookies.size < 2) throw new Error(`${url}${GET_SESSION} has set no session cache`);
};

const cookiesSetBy = (answer: Response): Map<string, string> =>
	new Map(
		answer.headers.getSetCookie().map((line) => {
			const [pair = ''] = line.split(';');
			const equals = pair.indexOf('=');
			return [pair.slice(0, equals), pair.slice(equals + 1)];
		})
	);
