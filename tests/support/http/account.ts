import type { OutgoingHttpHeaders } from 'node:http';
import type { BuiltServer } from '../process/built-server.ts';
import type { Browser } from './browser.ts';
import { API, type Answer } from './client.ts';
import type { Row } from './database.ts';
import { present, type Fixture } from './fixtures.ts';

export const LIST = `${API}/list-sessions`;
export const REVOKE = `${API}/revoke-session`;
export const REVOKE_OTHERS = `${API}/revoke-other-sessions`;
export const REVOKE_ALL = `${API}/revoke-sessions`;
export const UPDATE = `${API}/update-user`;
export const DELETE = `${API}/delete-user`;
export const CONSENT = '/api/marketing-consent';

/** The headers of a script of our own page. */
export const fromPage = (server: BuiltServer, cookie: string): OutgoingHttpHeaders => ({
	cookie,
	origin: server.address,
	'sec-fetch-site': 'same-origin'
});

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

/** What `npm run admin grant` stores, without starting it. */
export const makeOperator = async (
	{ database }: Pick<Fixture, 'database'>,
	email: string
): Promise<void> =>
	void (await database.rows(`update "user" set role = 'operator' where email = '${email}'`));
