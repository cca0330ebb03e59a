import { setTimeout as pause } from 'node:timers/promises';
import { bearer, ME, SEND, VERIFY } from '../tests/support/callers.ts';
import type { SmtpSink } from '../tests/support/mail/smtp-sink.ts';
import { settled } from '../tests/support/process/server-process.ts';

/** A signed-in account. */
export interface Account {
	readonly token: string;
	/** By name. The first one is the session cookie. */
	readonly cookies: Map<string, string>;
}

const UPDATE_USER = '/api/auth/update-user';
export const JSON_BODY = { 'content-type': 'application/json' };

/** The number of client addresses. It is high, so that limits per client do not affect a run. */
export const CLIENTS = 50_000;
/** Email addresses per run. The load tool would need long to prepare more. */
const PER_RUN = 4992;

let used = 0;
/** The client addresses of the next run, as a proxy writes them. The runs use all in turn. */
export const nextAddresses = (count = PER_RUN): readonly string[] => {
	used += count;
	return Array.from({ length: count }, (_, number) => {
		const client = (used - count + number) % CLIENTS;
		// Four clients per /24: the limit of a network is four times the limit of a client.
		const network = Math.floor(client / 4);
		return `10.${1 + Math.floor(network / 250)}.${network % 250}.${1 + (client % 4)}`;
	});
};

/** The protected page shows where an account is signed in, so each is signed in on these. */
const BROWSERS = [
	'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Safari/537.36',
	'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1',
	'Mozilla/5.0 (X11; Linux x86_64; rv:148.0) Gecko/20100101 Firefox/148.0'
];

/**
 * Signs in an account for each email address, once on each browser. Returns the last sign-ins. The
 * product and the peer have the same API, so the same requests work for both.
 */
export const openAccounts = async (
	url: string,
	origin: string,
	sink: SmtpSink,
	emails: readonly string[]
): Promise<readonly Account[]> => {
	const addresses = nextAddresses(emails.length);
	let accounts: Account[] = [];
	for (const browser of BROWSERS) {
		const post = async (path: string, number: number, body: object, more = {}) => {
			const client = { 'user-agent': browser, 'x-forwarded-for': addresses[number] ?? '' };
			const headers = { ...JSON_BODY, origin, ...client, ...more };
			const answer = await fetch(url + path, {
				method: 'POST',
				headers,
				body: JSON.stringify(body)
			});
			const text = await answer.text();
			if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text}`);
			return { answer, text };
		};
		for (const [number, email] of emails.entries()) {
			await post(SEND, number, { email, type: 'sign-in' });
		}
		const codes = await codesMailedTo(sink, emails);
		accounts = [];
		for (const [number, email] of emails.entries()) {
			const { answer, text } = await post(VERIFY, number, { email, otp: codes.get(email) });
			const { token } = JSON.parse(text) as { token: string };
			// The page would ask an account without a name for it.
			await post(UPDATE_USER, number, { name: 'Ada Lovelace' }, bearer(token));
			accounts.push({ token, cookies: cookiesSetBy(answer) });
		}
	}
	return accounts;
};

/** All cookies that a browser would send. */
export const cookieOf = ({ cookies }: Account): string =>
	[...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

/**
 * Requests a session cache as a browser without one, and stores the cookies of that response and
 * of the response to `path`.
 */
export const renewCaches = async (
	url: string,
	path: string,
	accounts: readonly Account[]
): Promise<void> => {
	const addresses = nextAddresses(accounts.length);
	for (const [number, { cookies }] of accounts.entries()) {
		const [[name, value] = []] = cookies;
		const headers = { 'x-forwarded-for': addresses[number] ?? '', cookie: `${name}=${value}` };
		for (const requested of [ME, path]) {
			const answer = await fetch(url + requested, { headers, redirect: 'manual' });
			await answer.text();
			for (const [key, set] of cookiesSetBy(answer)) cookies.set(key, set);
		}
		if (cookies.size < 2) throw new Error(`${url}${ME} has set no session cache`);
	}
};

const cookiesSetBy = (answer: Response): Map<string, string> =>
	new Map(
		answer.headers.getSetCookie().map((line) => {
			const [pair = ''] = line.split(';');
			const equals = pair.indexOf('=');
			return [pair.slice(0, equals), pair.slice(equals + 1)];
		})
	);

const TIMEOUT_MS = 60_000;

/**
 * The newest code of each email address, and then no email is left in the sink. Waits until all have
 * arrived, because some servers respond before they send the email.
 */
export const codesMailedTo = async (
	sink: SmtpSink,
	emails: readonly string[]
): Promise<ReadonlyMap<string, string>> => {
	const deadline = performance.now() + TIMEOUT_MS;
	const codes = new Map<string, string>();
	for (let read = 0; emails.some((email) => !codes.has(email)); await pause(20)) {
		for (; read < sink.mails.length; read += 1) {
			const { raw = '', recipients = [] } = sink.mails[read] ?? {};
			// Only below the headers, which can contain six digits that are not a code.
			const [code] = /\b\d{6}\b/.exec(raw.slice(raw.indexOf('\r\n\r\n'))) ?? [];
			if (code !== undefined) for (const email of recipients) codes.set(email, code);
		}
		if (performance.now() > deadline) throw new Error('some codes were not mailed');
	}
	await emptied(sink);
	return codes;
};

/** Drops all emails once no more arrive, so that none disturbs the next measurement. */
export const emptied = async (sink: SmtpSink): Promise<void> => {
	await settled(() => sink.mails.length);
	sink.forget();
};
