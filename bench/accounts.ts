import type { SmtpSink } from '../tests/support/mail/smtp-sink.ts';
import { addressOf } from './addresses.ts';
import { codesMailedTo, emptied } from './mailbox.ts';

/** A signed-in account. */
export interface Account {
	readonly token: string;
	/** By name. The first one is the session cookie. */
	readonly cookies: Map<string, string>;
}

export const SEND = '/api/auth/email-otp/send-verification-otp';
export const SIGN_IN = '/api/auth/sign-in/email-otp';
const UPDATE_USER = '/api/auth/update-user';
export const GET_SESSION = '/api/auth/get-session';

export const JSON_BODY = { 'content-type': 'application/json' };

/** The protected page shows where an account is signed in, so each is signed in on these. */
const BROWSERS = [
	'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Safari/537.36',
	'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1',
	'Mozilla/5.0 (X11; Linux x86_64; rv:148.0) Gecko/20100101 Firefox/148.0'
];

export interface Site {
	readonly server: { readonly url: string };
	readonly origin: string;
}

/**
 * Signs in an account for each email address, once on each browser. Returns the last sign-ins. The
 * product and the peer have the same API, so the same requests work for both.
 */
export const openAccounts = async (
	site: Site,
	sink: SmtpSink,
	emails: readonly string[]
): Promise<readonly Account[]> => {
	let accounts: readonly Account[] = [];
	for (const [turn, browser] of BROWSERS.entries()) {
		accounts = await signInAll(site, sink, emails, { browser, first: turn * emails.length });
		// The next codes must not be confused with these.
		await emptied(sink);
	}
	return accounts;
};

/** Each request is of another client, from number `first` on. */
const signInAll = async (
	{ server: { url }, origin }: Site,
	sink: SmtpSink,
	emails: readonly string[],
	{ browser, first }: { readonly browser: string; readonly first: number }
): Promise<readonly Account[]> => {
	const post = async (
		path: string,
		number: number,
		body: unknown,
		more: Readonly<Record<string, string>> = {}
	): Promise<Response> => {
		const headers = {
			...JSON_BODY,
			origin,
			'user-agent': browser,
			'x-forwarded-for': addressOf(first + number),
			...more
		};
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
		// The page would ask an account without a name for it.
		const bearer = { authorization: `Bearer ${token}` };
		await (await post(UPDATE_USER, number, { name: 'Ada Lovelace' }, bearer)).text();
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
