import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ME, OUT, pairOf, SEND, VERIFY } from '../../tests/support/http/client.ts';
import { ask, type Answer, type Request } from './ask.ts';
import type { MailedCode } from './mail-process.ts';

/** The kinds of requests, and how many of a hundred are of each kind. */
export const MIX = {
	'guarded by bearer': 60,
	'guarded as a browser': 20,
	'get-session': 10,
	'protected page': 5,
	'send code': 3,
	'sign-in': 1,
	'sign-out': 1
} as const;
export type Kind = keyof typeof MIX;

export interface People {
	/** Stores a code that arrived by email. */
	hear(mailed: MailedCode): void;
	/** Signs in the residents and the first guests. */
	arrive(): Promise<void>;
	/** Sends one request of this kind. */
	act(kind: Kind): Promise<void>;
}

interface Person {
	readonly token: string;
	/** By name, as a browser keeps them. */
	readonly cookies: Map<string, string>;
}

/** People who stay signed in for the whole run. */
const RESIDENTS = 100;
/** People who are signed in at the start, so that the first sign-outs have a session to end. */
const GUESTS = 20;
/** The newest codes, kept for sign-ins. More are sent than used, and old ones expire. */
const CODES = 50;

/** The simulated people who use the site at this address. */
export const peopleOf = (address: string): People => {
	const residents: Person[] = [];
	const guests: Person[] = [];
	const codes: MailedCode[] = [];
	let turn = 0;

	const nextResident = (): Person => {
		turn += 1;
		return taken(residents[turn % residents.length], 'no user has signed in');
	};
	const get = (path: string, headers: Request['headers'], expects: string): Promise<Answer> =>
		ask(address, { method: 'GET', path, headers, expects });
	const post = (path: string, json: unknown, headers: Request['headers'] = {}): Promise<Answer> =>
		ask(address, { method: 'POST', path, json, headers, expects: '' });
	const browse = async (path: string, expects: string): Promise<void> => {
		const { cookies } = nextResident();
		const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
		keep(cookies, (await get(path, { cookie }, expects)).setCookies);
	};
	const send = async (): Promise<void> => {
		const email = `${randomUUID()}@example.com`;
		await post(SEND, { email, type: 'sign-in' });
	};
	const signIn = async (): Promise<Person> => {
		const { email, code } = taken(codes.pop(), 'no code has come');
		const { text, setCookies } = await post(VERIFY, { email, otp: code });
		const { token } = JSON.parse(text) as { token: string };
		return { token, cookies: keep(new Map(), setCookies) };
	};

	const deeds: Readonly<Record<Kind, () => Promise<unknown>>> = {
		'guarded by bearer': () => get('/api/hello', bearer(nextResident()), 'Hello'),
		'guarded as a browser': () => browse('/api/hello', 'Hello'),
		'get-session': () => get(ME, bearer(nextResident()), '"user"'),
		'protected page': () => browse('/app', '</html>'),
		'send code': send,
		'sign-in': async () => guests.push(await signIn()),
		'sign-out': () => post(OUT, {}, bearer(taken(guests.shift(), 'no guest is signed in')))
	};
	return {
		hear: (mailed) => {
			codes.push(mailed);
			if (codes.length > CODES) codes.shift();
		},
		arrive: async () => {
			for (let count = 0; count < RESIDENTS + GUESTS; count += 1) {
				await send();
				while (codes.length === 0) await pause(1);
				(count < RESIDENTS ? residents : guests).push(await signIn());
			}
			// Codes for the first sign-ins.
			for (let count = 0; count < GUESTS; count += 1) await send();
		},
		act: async (kind) => void (await deeds[kind]())
	};
};

const bearer = ({ token }: Person): Request['headers'] => ({ authorization: `Bearer ${token}` });

const keep = (cookies: Map<string, string>, setCookies: readonly string[]): Map<string, string> => {
	for (const [name, value] of setCookies.map(pairOf)) {
		if (value === '') cookies.delete(name);
		else cookies.set(name, value);
	}
	return cookies;
};

const taken = <T>(found: T | undefined, otherwise: string): T => {
	if (found === undefined) throw new Error(otherwise);
	return found;
};
