import type { OutgoingHttpHeaders } from 'node:http';
import type { BuiltServer } from '../process/built-server.ts';
import type { Browser } from './browser.ts';
import { API, pairOf, type Answer } from './client.ts';
import type { Row } from './database.ts';
import { present, type Fixture } from './fixtures.ts';

export const LIST = `${API}/list-sessions`;
export const REVOKE = `${API}/revoke-session`;
export const REVOKE_OTHERS = `${API}/revoke-other-sessions`;
export const REVOKE_ALL = `${API}/revoke-sessions`;
export const UPDATE = `${API}/update-user`;
export const DELETE = `${API}/delete-user`;
export const CONSENT = '/api/marketing-consent';

export const UNAUTHORIZED = { message: 'Unauthorized', code: 'UNAUTHORIZED' };

/** The headers of a script of our own page. */
export const fromPage = (server: BuiltServer, cookie: string): OutgoingHttpHeaders => ({
	cookie,
	origin: server.address,
	'sec-fetch-site': 'same-origin'
});

/** The names of the cookies that an answer deletes. */
export const expiredIn = ({ setCookies }: Answer): readonly string[] =>
	setCookies
		.filter((line) => /;\s*max-age=0\b/i.test(line) || /expires=Thu, 01 Jan 1970/i.test(line))
		.map((line) => pairOf(line)[0])
		.sort();

/** An answer as a test compares it. */
export const statusAndBody = ({ status, json }: Answer): [number, unknown] => [status, json()];

/** Everything in an answer except its time, its id and values that differ for each page. */
export const appearance = ({ status, headers, text }: Answer): object => {
	const { date: _, 'x-request-id': __, ...rest } = headers;
	return {
		status,
		text: steady(text),
		headers: JSON.parse(steady(JSON.stringify(rest))) as object
	};
};

/** A page without its nonces, tokens, keys and its own address, which differ in every answer. */
export const steady = (text: string): string =>
	text
		.replace(/nonce="[^"]*"|nonce-[A-Za-z0-9+/=]+|__sveltekit_\w+|[0-9a-f]{32}\.[\w-]{43}/g, '·')
		.replace(/(name="from" value=")[^"]*/g, '$1·')
		.replace(/(postern_browser=)[\w-]{43}/g, '$1·');

/** The rows of a table that belong to this address. */
export const rowsOf = (
	{ database }: Pick<Fixture, 'database'>,
	table:
		| 'user'
		| 'session'
		| 'device'
		| 'user_data'
		| 'consent_record'
		| 'purchase'
		| 'verification'
		| 'auth_throttle',
	email: string
): Promise<readonly Row[]> =>
	database.rows(
		['session', 'device', 'user_data', 'consent_record'].includes(table)
			? `select t.* from "${table}" t join "user" u on u.id = t.user_id where u.email = '${email}'`
			: `select * from "${table}" where email = '${email}'`
	);

export const userOf = async (fixture: Pick<Fixture, 'database'>, email: string): Promise<Row> =>
	present((await rowsOf(fixture, 'user', email))[0]);

/** Whether this address has consented to marketing; null without stored data. */
export const consentOf = async (
	fixture: Pick<Fixture, 'database'>,
	email: string
): Promise<boolean | null> => {
	const [row] = await rowsOf(fixture, 'user_data', email);
	// SQLite has no boolean type.
	return row === undefined ? null : Boolean(row['marketing_opt_in']);
};

/** Requests a code on a page without JavaScript; returns the code page. */
export const askOnPage = async (
	browser: Browser,
	email: string,
	path = '/auth/sign-in',
	fields: Readonly<Record<string, string>> = {}
): Promise<Answer> => {
	const response = await browser.submit(await browser.open(path), '?/request', {
		email,
		...fields
	});
	if (response.status !== 303) throw new Error(`no code for ${email}: ${response.status}`);
	return browser.open(present(response.headers.location));
};

/** Completes the flow without JavaScript; returns the answer to the right code. */
export const enterOnPage = async (
	server: BuiltServer,
	browser: Browser,
	email: string,
	path = '/auth/sign-in',
	fields: Readonly<Record<string, string>> = {}
): Promise<Answer> => {
	const before = server.codesSentTo(email);
	const page = await askOnPage(browser, email, path, fields);
	const code = await server.codeFor(email, before + 1);
	return browser.submit(page, '?/verify', { code });
};
