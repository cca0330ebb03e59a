import type { SmtpSink } from '../tests/support/mail/smtp-sink.ts';
import { GET_SESSION, JSON_BODY, SEND, SIGN_IN } from './accounts.ts';
import { nextAddresses } from './addresses.ts';
import { CONNECTIONS, runLoad, type LoadRequest } from './load.ts';
import { codesMailedTo, emptied } from './mailbox.ts';
import { EMPTY_ENDPOINT, EVERYBODY, type Scenario } from './scenario.ts';
import type { Subject } from './subjects.ts';

/** Sign-ins per run. Each needs a code that was sent before. */
const SIGN_INS = 16 * CONNECTIONS;
/** Sends prepared for a run. A run must not use them all, because the limit per address is low. */
const SENDS = 160 * CONNECTIONS;

let people = 0;
const newPeople = (count: number): readonly string[] =>
	Array.from({ length: count }, () => `person-${(people += 1)}@example.test`);

const posting = (
	origin: string,
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

const nothing = async (): Promise<readonly LoadRequest[]> =>
	nextAddresses().map((address) => ({
		method: 'GET',
		path: EMPTY_ENDPOINT.path,
		headers: { 'x-forwarded-for': address }
	}));

const sends = ({ origin }: Subject, emails: readonly string[]): readonly LoadRequest[] =>
	posting(
		origin,
		SEND,
		emails.map((email) => ({ email, type: 'sign-in' }))
	);

/** Sends each address a code, outside the measured time, and prepares the sign-ins. */
const signIns = async (
	subject: Subject,
	sink: SmtpSink,
	emails: readonly string[]
): Promise<readonly LoadRequest[]> => {
	sink.forget();
	const requests = sends(subject, emails);
	await runLoad({
		server: subject.server,
		requests,
		status: 200,
		until: { answers: emails.length }
	});
	const codes = await codesMailedTo(sink, emails);
	sink.forget();
	return posting(
		subject.origin,
		SIGN_IN,
		emails.map((email) => ({ email, otp: codes.get(email) }))
	);
};

export const sendCode: Scenario = {
	id: 'send',
	title: 'send code',
	onFloor: EMPTY_ENDPOINT,
	subjects: [...EVERYBODY, 'sqlite-budget', 'postgres-budget'],
	status: 200,
	isRight: (body) => body.includes('"success":true'),
	counted: false,
	mails: 'awaited',
	requests: async (subject) =>
		subject.id === 'floor' ? nothing() : sends(subject, newPeople(SENDS))
};

const signsIn = (body: string): boolean => /"token":"[^"]+"/.test(body);

export const newUser: Scenario = {
	id: 'sign-in-new',
	title: 'sign-in of a new user',
	onFloor: EMPTY_ENDPOINT,
	subjects: EVERYBODY,
	status: 200,
	isRight: signsIn,
	counted: true,
	mails: 'some',
	requests: (subject, sink) =>
		subject.id === 'floor' ? nothing() : signIns(subject, sink, newPeople(SIGN_INS))
};

export const knownUser: Scenario = {
	id: 'sign-in-known',
	title: 'sign-in of a known user',
	onFloor: EMPTY_ENDPOINT,
	subjects: EVERYBODY,
	status: 200,
	isRight: signsIn,
	counted: true,
	mails: 'some',
	requests: async (subject, sink) => {
		if (subject.id === 'floor') return nothing();
		const emails = newPeople(SIGN_INS);
		const first = await signIns(subject, sink, emails);
		const until = { answers: first.length };
		await runLoad({ server: subject.server, requests: first, status: 200, until });
		await emptied(sink);
		return signIns(subject, sink, emails);
	}
};

/** One more than the requests that a client may make in a minute. */
const OVER = 101;

export const tooMany: Scenario = {
	id: 'too-many',
	title: '429 to a client over its limit',
	onFloor: EMPTY_ENDPOINT,
	// The peer's limiter is off. Otherwise the other scenarios would measure only the limiter.
	subjects: ['sqlite', 'postgres'],
	status: 429,
	isRight: (body) => body.includes('TOO_MANY_REQUESTS'),
	counted: false,
	mails: 'none',
	requests: async ({ id, server }) => {
		if (id === 'floor') return nothing();
		const [address = ''] = nextAddresses(1);
		const headers = { 'x-forwarded-for': address };
		for (let sent = 0; sent < OVER; sent += 1) {
			await (await fetch(server.url + GET_SESSION, { headers })).text();
		}
		return Array.from({ length: CONNECTIONS }, () => ({
			method: 'GET',
			path: GET_SESSION,
			headers
		}));
	}
};
