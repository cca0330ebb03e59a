import { request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { complaintAbout } from '../api/conformance.ts';
import type { BuiltServer } from '../process/built-server.ts';
import { API, bearer, ME, newAddress, nextClient, SEND, VERIFY } from '../callers.ts';
import { agent } from './agent.ts';

export interface Answer {
	readonly status: number;
	readonly headers: IncomingHttpHeaders;
	readonly setCookies: readonly string[];
	readonly text: string;
	/** The body as JSON; throws for invalid JSON. */
	json(): unknown;
}

export interface Call {
	readonly method?: string;
	readonly headers?: OutgoingHttpHeaders;
	readonly body?: string | Buffer;
	/** Sent as `application/json`, by POST. */
	readonly json?: unknown;
	/** The local address of the client; Linux accepts all of 127.0.0.0/8. */
	readonly from?: string;
	/** A connection for this request alone, so that it waits for no other and meets none that closes. */
	readonly agent?: false;
}

/** What a request needs to know of a server. */
export type Server = Pick<BuiltServer, 'address'>;

/**
 * One request, sent exactly as written: no path is normalised and no header refused, unlike
 * `fetch` with Origin, Cookie, Host and Sec-Fetch headers. In any test, an answer of the JSON API
 * that its document does not describe is an error.
 */
export const call = (server: Server, path: string, options: Call = {}): Promise<Answer> => {
	const json = options.json === undefined ? undefined : JSON.stringify(options.json);
	const body = options.body ?? json;
	const { hostname, port } = new URL(server.address);
	const headers: OutgoingHttpHeaders = {
		'x-forwarded-for': nextClient(),
		...(json === undefined ? {} : { 'content-type': 'application/json' }),
		...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
		...options.headers
	};
	if (headers['transfer-encoding'] !== undefined) delete headers['content-length'];
	const method = options.method ?? (json === undefined ? 'GET' : 'POST');
	return new Promise((resolve, reject) => {
		const outgoing = request(
			{
				agent: options.agent ?? agent,
				...(options.from === undefined ? {} : { localAddress: options.from }),
				host: hostname === 'localhost' ? '127.0.0.1' : hostname,
				port,
				path,
				method,
				headers
			},
			(incoming) => {
				const chunks: Buffer[] = [];
				incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
				incoming.on('error', reject);
				incoming.on('end', () => {
					const text = Buffer.concat(chunks).toString('utf8');
					const answer: Answer = {
						status: incoming.statusCode ?? 0,
						headers: incoming.headers,
						setCookies: incoming.headers['set-cookie'] ?? [],
						text,
						json: () => JSON.parse(text) as unknown
					};
					const complaint = complaintAbout({ method, path, headers }, answer);
					if (complaint === null) resolve(answer);
					else reject(new Error(complaint));
				});
			}
		);
		outgoing.on('error', reject);
		outgoing.end(body);
	});
};

/**
 * Repeats a request for as long as the answer is 503. A machine that is busy with other work may need
 * longer for a query than the server waits.
 */
export const untilServed = async (ask: () => Promise<Answer>): Promise<Answer> => {
	for (let tries = 1; ; tries += 1) {
		const answer = await ask();
		if (answer.status !== 503 || tries === 20) return answer;
	}
};

/** The response to these exact bytes, until the connection ends in any way. */
export const exchange = (server: Server, bytes: string | Buffer): Promise<string> =>
	new Promise((resolve) => {
		let received = '';
		const socket = connect(Number(new URL(server.address).port), '127.0.0.1');
		socket.setEncoding('utf8').on('data', (text: string) => (received += text));
		socket.on('error', () => undefined).on('close', () => resolve(received));
		socket.write(bytes);
	});

export { API, bearer, ME, newAddress, nextClient, SEND, VERIFY };
export const OUT = `${API}/sign-out`;

/** A code of the right shape that differs from this one. */
export const wrongCode = (code: string, step = 1): string =>
	String((Number(code) + step) % 1_000_000).padStart(6, '0');

/** Requests a code over the API. */
export const sendCode = (
	server: BuiltServer,
	email: string,
	headers: OutgoingHttpHeaders = {}
): Promise<Answer> => call(server, SEND, { json: { email, type: 'sign-in' }, headers });

/** Requests a code over the API and returns it. */
export const freshCode = async (
	server: BuiltServer,
	email: string,
	headers: OutgoingHttpHeaders = {}
): Promise<string> => {
	const before = server.codesSentTo(email);
	const { status, text } = await sendCode(server, email, headers);
	if (status !== 200) throw new Error(`no code for ${email}: ${status} ${text}`);
	return server.codeFor(email, before + 1);
};

export const verifyCode = (
	server: BuiltServer,
	email: string,
	otp: unknown,
	headers: OutgoingHttpHeaders = {}
): Promise<Answer> => call(server, VERIFY, { json: { email, otp }, headers });

export interface SignedIn {
	readonly email: string;
	readonly token: string;
	/** A Cookie header with the session. */
	readonly cookie: string;
	readonly answer: Answer;
}

/** Signs in over the API as a program does. */
export const signIn = async (
	server: BuiltServer,
	email = newAddress(),
	headers: OutgoingHttpHeaders = {}
): Promise<SignedIn> => {
	const code = await freshCode(server, email);
	const answer = await untilServed(() => verifyCode(server, email, code, headers));
	if (answer.status !== 200) throw new Error(`not signed in: ${answer.status} ${answer.text}`);
	const { token } = answer.json() as { token: string };
	const pair = answer.setCookies.map(pairOf).find(([name]) => name.endsWith('postern_session'));
	if (pair === undefined) throw new Error('no session cookie');
	return { email, token, cookie: pair.join('='), answer };
};

export const pairOf = (setCookie: string): [name: string, value: string] => {
	const pair = setCookie.split(';', 1)[0] ?? '';
	const at = pair.indexOf('=');
	return [pair.slice(0, at), pair.slice(at + 1)];
};

interface Me {
	readonly session: Record<string, unknown>;
	readonly user: Record<string, unknown>;
}

/** The result of get-session; fails on anything but 200. */
export const me = async (
	server: BuiltServer,
	headers: OutgoingHttpHeaders,
	path: string = ME
): Promise<Me | null> => {
	const answer = await call(server, path, { headers });
	if (answer.status !== 200) throw new Error(`get-session: ${answer.status} ${answer.text}`);
	return answer.json() as Me | null;
};

/** The email address of the user with these headers, or null. */
export const whoIs = async (server: BuiltServer, headers: OutgoingHttpHeaders): Promise<unknown> =>
	(await me(server, headers))?.user['email'] ?? null;

/** Answered from the database, without the caches of a process or a cookie. */
const STORED_ME = `${ME}?disableCookieCache=true`;
export const whoIsStored = async (
	server: BuiltServer,
	headers: OutgoingHttpHeaders
): Promise<unknown> => (await me(server, headers, STORED_ME))?.user['email'] ?? null;

/** Runs `work` for every item, at most `width` at a time. */
export const inBatches = async <T, R>(
	items: readonly T[],
	width: number,
	work: (item: T, index: number) => Promise<R>
): Promise<R[]> => {
	const results: R[] = [];
	for (let from = 0; from < items.length; from += width) {
		const batch = items.slice(from, from + width);
		results.push(...(await Promise.all(batch.map((item, i) => work(item, from + i)))));
	}
	return results;
};

export const times = <T>(count: number, make: (index: number) => T): T[] =>
	Array.from({ length: count }, (_, index) => make(index));

/** How often each value occurs. */
export const tally = (values: readonly (string | number)[]): Record<string, number> => {
	const counts: Record<string, number> = {};
	for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
	return counts;
};

/** POSTERN_FULL=1 runs the long form of race tests. */
export const rounds = (short: number, full: number): number =>
	process.env['POSTERN_FULL'] === '1' ? full : short;

/**
 * All combinations of a matrix in the long form, and every `step`-th in the short form. The fastest
 * varying part of the matrix must have more than `step` values and no factor in common with it. Then
 * every other combination keeps a value of that part, and the next one gets other values.
 */
export const sampled = <T>(matrix: readonly T[], step: number): readonly T[] =>
	matrix.filter((_, index) => index % rounds(step, 1) === 0);
