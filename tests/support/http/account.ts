import type { OutgoingHttpHeaders } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { BuiltServer } from '../process/built-server.ts';
import type { Browser } from './browser.ts';
import { API, bearer, call, freshCode, newAddress, type Answer, type SignedIn } from './client.ts';
import { openDatabase, type Row } from './database.ts';
import { present, type Fixture } from './fixtures.ts';

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

/** The rows of a table that belong to this email address. */
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
			: `select * from "${table}" where ${table === 'auth_throttle' ? 'key' : 'email'} = '${email}'`
	);

/** Completes the flow without JavaScript; returns the answer to the right code. */
export const enterOnPage = async (
	server: BuiltServer,
	browser: Browser,
	email: string,
	path = '/auth/sign-in'
): Promise<Answer> => {
	const before = server.codesSentTo(email);
	const page = await browser.open(path);
	const asked = await browser.submit(page, '?/request', { email });
	if (asked.status !== 303) throw new Error(`no code for ${email}: ${asked.status}`);
	const codePage = await browser.open(present(asked.headers.location));
	const code = await server.codeFor(email, before + 1);
	return browser.submit(codePage, '?/verify', { code });
};

/** What `npm run admin grant` stores, without starting it. */
export const makeOperator = async (
	{ database }: Pick<Fixture, 'database'>,
	email: string
): Promise<void> =>
	void (await database.rows(`update "user" set role = 'operator' where email = '${email}'`));

const ASK_BY_CODE = `${API}/email-otp/request-email-change`;
const CHANGE_BY_CODE = `${API}/email-otp/change-email`;
const ASK_BY_LINK = `${API}/change-email`;

export const askByCode = (
	server: BuiltServer,
	headers: OutgoingHttpHeaders,
	newEmail: unknown
): Promise<Answer> => call(server, ASK_BY_CODE, { json: { newEmail }, headers });

export const askByLink = (
	server: BuiltServer,
	headers: OutgoingHttpHeaders,
	newEmail: unknown,
	callbackURL?: unknown
): Promise<Answer> => call(server, ASK_BY_LINK, { json: { newEmail, callbackURL }, headers });

/** Requests a change by code and returns the code that was sent to the new address. */
export const changeCode = async (
	server: BuiltServer,
	{ token }: SignedIn,
	newEmail: string
): Promise<string> => {
	const before = server.mailsSentTo('email-change code', newEmail);
	const answer = await askByCode(server, bearer(token), newEmail);
	if (answer.status !== 200) throw new Error(`no code: ${answer.status} ${answer.text}`);
	return server.changeCodeFor(newEmail, before + 1);
};

export const changeByCode = (
	server: BuiltServer,
	headers: OutgoingHttpHeaders,
	newEmail: unknown,
	otp: unknown
): Promise<Answer> => call(server, CHANGE_BY_CODE, { json: { newEmail, otp }, headers });

/** Moves the sign-in of every session of a user back by this many seconds. */
export const backdateSignIn = async (
	{ engine, database }: Pick<Fixture, 'engine' | 'database'>,
	{ email }: Pick<SignedIn, 'email'>,
	seconds = 16 * 60
): Promise<void> => {
	const earlier =
		engine === 'SQLite'
			? `created_at - ${seconds * 1000}`
			: `created_at - interval '${seconds} seconds'`;
	await database.rows(
		`update session set created_at = ${earlier} where user_id = (select id from "user" where email = '${email}')`
	);
};

/**
 * Resolves when the emails that follow earlier responses were sent, and this server's output has
 * arrived. A sign-in code is printed before its response, and so after everything before it.
 */
export const settled = async (server: BuiltServer): Promise<void> => {
	const database = openDatabase(server.databaseUrl);
	const waiting = 'select id from email_outbox where failed_at is null';
	while ((await database.rows(waiting)).length > 0) await pause(5);
	await database.close();
	await freshCode(server, newAddress('fence'));
};
