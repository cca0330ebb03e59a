import type { OutgoingHttpHeaders } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { BuiltServer } from '../process/built-server.ts';
import { openBrowser, textOf, tokenOf, type Browser } from './browser.ts';
import {
	bearer,
	call,
	freshCode,
	newAddress,
	pairOf,
	API,
	type Answer,
	type SignedIn
} from './client.ts';
import { jarOf, SESSION } from './cookie-jar.ts';
import { openDatabase, type Database } from './database.ts';
import { present, type Fixture } from './fixtures.ts';

const ASK_BY_CODE = `${API}/email-otp/request-email-change`;
const CHANGE_BY_CODE = `${API}/email-otp/change-email`;
const ASK_BY_LINK = `${API}/change-email`;
export const LANDING = '/auth/verify-email';

export const LINK = 'postern_link';

/** Status and code of an answer that is an error. */
export const refusal = (answer: Answer): readonly [number, string] => [
	answer.status,
	(answer.json() as { code: string }).code
];

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

/** Requests a change by link and returns the link that was sent to the new address. */
export const changeLink = async (
	server: BuiltServer,
	{ token }: SignedIn,
	newEmail: string,
	callbackURL?: string
): Promise<string> => {
	const before = server.mailsSentTo('email-change link', newEmail);
	const answer = await askByLink(server, bearer(token), newEmail, callbackURL);
	if (answer.status !== 200) throw new Error(`no link: ${answer.status} ${answer.text}`);
	return server.linkFor(newEmail, before + 1);
};

/** The path of a link, as a browser requests it. */
export const pathOfLink = (link: string): string => {
	const { pathname, search } = new URL(link);
	return pathname + search;
};

export const tokenOfLink = (link: string): string =>
	present(new URL(link).searchParams.get('token'));

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

/** What our forms prove: a browser key, and its token. */
export interface FormKey {
	readonly cookie: string;
	readonly csrf: string;
}

/** Valid for every server with the same secret. */
export const formKey = async (server: BuiltServer, page = '/auth/sign-in'): Promise<FormKey> => {
	const browser = openBrowser(server);
	const { text } = await browser.open(page);
	return { cookie: browser.cookies(), csrf: present(tokenOf(text)) };
};

/**
 * The form of the page of a link, posted from a browser that opened it; without a person,
 * unauthenticated.
 */
export const confirmLink = (
	server: BuiltServer,
	form: FormKey,
	person: SignedIn | null,
	link: string
): Promise<Answer> => {
	const token = `${LINK}=${tokenOfLink(link)}`;
	return call(server, `${LANDING}?/confirm`, {
		method: 'POST',
		body: new URLSearchParams({ csrf: form.csrf }).toString(),
		headers: {
			cookie: [form.cookie, token, ...(person === null ? [] : [person.cookie])].join('; '),
			origin: server.address,
			'sec-fetch-site': 'same-origin',
			accept: 'text/html',
			'content-type': 'application/x-www-form-urlencoded'
		}
	});
};

export const CHANGED = 'changed';

/** Whether a confirmed link changed the address; anything else as the user sees it. */
export const linkOutcome = ({ status, headers, text, setCookies }: Answer): string => {
	const { location = '' } = headers;
	const done = setCookies.some((line) => line.includes('=email-changed;'));
	if (status === 303 && location === '/settings' && done) return CHANGED;
	return `${status} ${location} ${textOf(text)}`;
};

/** The address of an account. */
export const addressOf = async (database: Database, id: unknown): Promise<unknown> =>
	(await database.rows(`select email from "user" where id = '${String(id)}'`))[0]?.['email'];

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

/** Opens a path and follows redirects of this site, as a browser does. */
export const follow = async (browser: Browser, path: string): Promise<Answer> => {
	const answer = await browser.open(path);
	return answer.status === 303 ? follow(browser, present(answer.headers.location)) : answer;
};

/** A browser with a signed-in user. */
export const browserOf = (server: BuiltServer, person: SignedIn): Browser => {
	const browser = openBrowser(server);
	for (const pair of jarOf(person).split('; ')) browser.plant(...pairOf(pair));
	if (browser.cookie(SESSION) === null) throw new Error('the browser has no session');
	return browser;
};
