import { bearer as bearerOf, ME, SEND, VERIFY } from '../tests/support/callers.ts';
import type { SmtpSink } from '../tests/support/mail/smtp-sink.ts';
import {
	codesMailedTo,
	cookieOf,
	emptied,
	JSON_BODY,
	nextAddresses,
	renewCaches,
	type Account
} from './accounts.ts';
import { CONNECTIONS, runLoad, type LoadRequest } from './load.ts';
import { PRODUCTS, type Subject } from './subjects.ts';

export interface Scenario {
	/** The name for `--only`. */
	readonly id: string;
	readonly title: string;
	/** What the floor answers meanwhile. */
	readonly floorPath: '/empty' | '/page';
	/** Whether a response of 200 has the right body. */
	readonly isRight: (body: string) => boolean;
	/** True if each request can be sent only once. A run then sends each of them once. */
	readonly counted: boolean;
	readonly sendsMails: boolean;
	/** Creates the requests for a run. */
	readonly requests: (subject: Subject, sink: SmtpSink) => Promise<readonly LoadRequest[]>;
}

const HELLO = '/api/hello';
const PAGE = '/app';

type HeadersOf = (account: Account) => Record<string, string>;
const bearer: HeadersOf = ({ token }) => bearerOf(token);
const browser: HeadersOf = (account) => ({ cookie: cookieOf(account) });

/** Requests with these headers in turn, each from another client address. */
export const getting = (path: string, headers: readonly object[]): readonly LoadRequest[] =>
	nextAddresses().map((address, number) => ({
		method: 'GET',
		path,
		headers: { ...headers[number % headers.length], 'x-forwarded-for': address }
	}));

/** Requests of all accounts in turn, each from another client address. */
const reading = (
	id: string,
	title: string,
	path: string,
	headersOf: HeadersOf,
	isRight: Scenario['isRight']
): Scenario => ({
	id,
	title,
	floorPath: path === PAGE ? '/page' : '/empty',
	isRight,
	counted: false,
	sendsMails: false,
	requests: async ({ server, accounts }) => {
		if (headersOf === browser) await renewCaches(server.url, path, accounts);
		return getting(path, accounts.map(headersOf));
	}
});

export const onFloor = (path: Scenario['floorPath']): readonly LoadRequest[] => getting(path, [{}]);

const greets = (body: string): boolean => body.includes('"Hello, ');
const names = (body: string): boolean => body.includes('"session":{') && body.includes('"user":{');
/** The account and its three purchases. */
const shows = (body: string): boolean =>
	PRODUCTS.every((product) => body.includes(product)) && body.includes('</html>');

export const READING: readonly Scenario[] = [
	reading('bearer', 'guarded by bearer', HELLO, bearer, greets),
	reading('cookie', 'guarded by cookie', HELLO, browser, greets),
	reading('session', 'get-session by bearer', ME, bearer, names),
	reading('page', 'protected page', PAGE, browser, shows)
];

/** Sign-ins per run. Each needs a code that was sent before. */
const SIGN_INS = 16 * CONNECTIONS;
/** Sends prepared for a run. A run must not use them all: the limit per email address is low. */
const SENDS = 160 * CONNECTIONS;

let people = 0;
const newPeople = (count: number): readonly string[] =>
	Array.from({ length: count }, () => `person-${(people += 1)}@example.test`);

const posting = (
	{ origin }: Subject,
	path: string,
	bodies: readonly object[]
): readonly LoadRequest[] => {
	const addresses = nextAddresses(bodies.length);
	return bodies.map((body, number) => ({
		method: 'POST',
		path,
		headers: { ...JSON_BODY, origin, 'x-forwarded-for': addresses[number] ?? '' },
		body: JSON.stringify(body)
	}));
};

const sends = (subject: Subject, emails: readonly string[]): readonly LoadRequest[] =>
	posting(
		subject,
		SEND,
		emails.map((email) => ({ email, type: 'sign-in' }))
	);

/** Sends each email address a code, outside the measured time, and prepares the sign-ins. */
const signIns = async (
	subject: Subject,
	sink: SmtpSink,
	emails: readonly string[]
): Promise<readonly LoadRequest[]> => {
	const requests = sends(subject, emails);
	await runLoad({ server: subject.server, requests, until: { answers: emails.length } });
	const codes = await codesMailedTo(sink, emails);
	return posting(
		subject,
		VERIFY,
		emails.map((email) => ({ email, otp: codes.get(email) }))
	);
};

const writing = (
	id: string,
	title: string,
	counted: boolean,
	requests: Scenario['requests']
): Scenario => ({
	id,
	title,
	floorPath: '/empty',
	isRight: (body) => /"success":true|"token":"[^"]+"/.test(body),
	counted,
	sendsMails: true,
	requests
});

export const SCENARIOS: readonly Scenario[] = [
	...READING,
	writing('send', 'send code', false, async (subject) => sends(subject, newPeople(SENDS))),
	writing('new', 'sign-in of a new user', true, (subject, sink) =>
		signIns(subject, sink, newPeople(SIGN_INS))
	),
	writing('known', 'sign-in of a known user', true, async (subject, sink) => {
		const emails = newPeople(SIGN_INS);
		const requests = await signIns(subject, sink, emails);
		await runLoad({ server: subject.server, requests, until: { answers: requests.length } });
		await emptied(sink);
		return signIns(subject, sink, emails);
	})
];
