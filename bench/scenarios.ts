import {
	allCookiesOf,
	GET_SESSION,
	renewCache,
	sessionCookieOf,
	type Account
} from './accounts.ts';
import { nextAddresses } from './addresses.ts';
import type { LoadRequest } from './load.ts';
import { EMPTY_ENDPOINT, EMPTY_PAGE, EVERYBODY, type Scenario } from './scenario.ts';
import type { Subject } from './subjects.ts';
import { knownUser, newUser, sendCode, tooMany } from './writing-scenarios.ts';

const HELLO = '/api/hello';
const PAGE = '/app';

type HeadersOf = (account: Account) => Record<string, string>;

const bearer: HeadersOf = ({ token }) => ({ authorization: `Bearer ${token}` });
const browser: HeadersOf = (account) => ({ cookie: allCookiesOf(account) });
const withoutCache: HeadersOf = (account) => ({ cookie: sessionCookieOf(account) });

/** Requests of all accounts in turn, each from another client address. */
const readingBy =
	(path: string, headersOf: HeadersOf, onFloor: Scenario['onFloor']): Scenario['requests'] =>
	async ({ id, server, accounts }) => {
		// The floor sets no cookies. It gets the ones that Postern on SQLite has set.
		if (headersOf === browser && id !== 'floor') {
			for (const [number, account] of accounts.entries()) {
				await renewCache(server.url, path, account, number);
			}
		}
		const headers = accounts.map(headersOf);
		return nextAddresses().map((address, number) => ({
			method: 'GET',
			path: id === 'floor' ? onFloor.path : path,
			headers: { ...headers[number % headers.length], 'x-forwarded-for': address }
		}));
	};

const reading = (
	id: string,
	title: string,
	path: string,
	headersOf: HeadersOf,
	isRight: Scenario['isRight'],
	onFloor = EMPTY_ENDPOINT
): Scenario => ({
	id,
	title,
	onFloor,
	subjects: EVERYBODY,
	status: 200,
	isRight,
	counted: false,
	mails: 'none',
	requests: readingBy(path, headersOf, onFloor)
});

const greets = (body: string): boolean => body.includes('"Hello, ');
const names = (body: string): boolean => body.includes('"session":{') && body.includes('"user":{');
/** The account, its three purchases and its three sign-ins. */
const shows = (body: string): boolean =>
	body.includes('Signed in until') &&
	body.split('<span class="product').length === 4 &&
	body.split('<p class="device').length === 4 &&
	body.includes('</html>');

export const guardedByBearer = reading(
	'guarded-bearer',
	'guarded by bearer',
	HELLO,
	bearer,
	greets
);

export const SCENARIOS: readonly Scenario[] = [
	guardedByBearer,
	reading('guarded-cookie-cache', 'guarded by cookie, live cache', HELLO, browser, greets),
	reading('guarded-cookie', 'guarded by cookie, no cache', HELLO, withoutCache, greets),
	reading('session-bearer', 'get-session by bearer', GET_SESSION, bearer, names),
	reading('session-cookie', 'get-session by cookie', GET_SESSION, browser, names),
	reading('page', 'server-rendered protected page', PAGE, browser, shows, EMPTY_PAGE),
	sendCode,
	newUser,
	knownUser,
	tooMany
];

/**
 * Of 20 requests, 16 have a bearer token and 2 are of a browser with its cache. The other two are
 * get-session and a page.
 */
export const mixed = async (subject: Subject): Promise<readonly LoadRequest[]> => {
	const { id, server, accounts } = subject;
	if (id !== 'floor') {
		for (const [number, account] of accounts.entries()) {
			await renewCache(server.url, PAGE, account, number);
		}
	}
	return nextAddresses().map((address, number) => {
		const account = accounts[number % accounts.length];
		if (account === undefined) throw new Error('no account is signed in');
		const place = number % 20;
		const path = place === 18 ? GET_SESSION : place === 19 ? PAGE : HELLO;
		const headers = place < 16 ? bearer(account) : browser(account);
		return {
			method: 'GET',
			path: id === 'floor' ? EMPTY_ENDPOINT.path : path,
			headers: { ...headers, 'x-forwarded-for': address }
		};
	});
};
