import { openBrowser } from '../../support/http/browser.ts';
import type { BuiltServer } from '../../support/process/built-server.ts';
import {
	bearer,
	call,
	freshCode,
	ME,
	newAddress,
	OUT,
	pairOf,
	sendCode,
	signIn,
	untilServed,
	verifyCode,
	type Answer
} from '../../support/http/client.ts';

/**
 * How a request uses the database: it reads, writes, sends a code, checks one, or does not use it.
 */
export type Need = 'reads' | 'writes' | 'sends' | 'ready' | 'nothing';

export interface Request {
	readonly what: string;
	readonly need: Need;
	readonly page: boolean;
	send(): Promise<Answer>;
}

/** A signed-in user, with two codes pending for other addresses. */
export interface Person {
	/** Addresses whose codes they use. */
	readonly waiting: readonly string[];
	/** All requests of the user, sent concurrently. */
	readonly requests: readonly Request[];
	/**
	 * Uses both codes, by the API and by the form; returns whether each signed in. While the database is
	 * unavailable, it tries again.
	 */
	signInAgain(): Promise<readonly boolean[]>;
}

const html = { accept: 'text/html' };

export const newPerson = async (server: BuiltServer): Promise<Person> => {
	const { token, cookie } = await signIn(server);
	const byApi = newAddress('api');
	const apiCode = await freshCode(server, byApi);
	const byForm = newAddress('form');
	const browser = openBrowser(server);
	const post = (action: string, fields: Record<string, string>, form: string) =>
		browser.post(`/auth/sign-in?/${action}`, { ...fields, __superform_id: form });
	await post('request', { email: byForm }, 'email');
	const formCode = await server.codeFor(byForm);
	// From now on the session lookup waits, and then the operation itself.
	const [name, value] = pairOf(cookie);
	browser.plant(name, value);

	const verify = () => verifyCode(server, byApi, apiCode);
	const submit = () => post('verify', { email: byForm, code: formCode }, 'code');
	const get = (path: string, headers = {}) => call(server, path, { headers });
	const api = (what: string, need: Need, send: Request['send']): Request => ({
		what,
		need,
		send,
		page: false
	});
	const page = (what: string, need: Need, send: Request['send']): Request => ({
		what,
		need,
		send,
		page: true
	});
	return {
		waiting: [byApi, byForm],
		requests: [
			api('who am I, by bearer', 'reads', () => get(ME, bearer(token))),
			page('a protected page', 'reads', () => get('/app', { cookie, ...html })),
			api('a code, please', 'sends', () => sendCode(server, newAddress())),
			page('a code, please, by form', 'sends', () =>
				post('request', { email: newAddress() }, 'email')
			),
			api('here is my code', 'writes', verify),
			page('here is my code, by form', 'writes', submit),
			api('sign out', 'writes', () => call(server, OUT, { json: {}, headers: bearer(token) })),
			page('a public page with a session', 'nothing', () => get('/', { cookie, ...html })),
			api('alive?', 'nothing', () => get('/healthz')),
			api('ready?', 'ready', () => get('/readyz'))
		],
		signInAgain: async () => {
			browser.plant(name, '');
			const answers = await Promise.all([verify, submit].map(untilServed));
			return answers.map(({ setCookies }) =>
				setCookies.map(pairOf).some(([of, value]) => of === name && value !== '')
			);
		}
	};
};
