import { setTimeout as pause } from 'node:timers/promises';
import type { BuiltServer } from '../support/process/built-server.ts';
import {
	call,
	rounds,
	times,
	wrongCode,
	SEND,
	VERIFY,
	type Answer
} from '../support/http/client.ts';
import type { Inbox } from './inbox.ts';

const NETWORKS = 30;
/** A /24 may request 80 codes in a minute, and enter 120. */
const SENDS_PER_SECOND = 240;
/** So many are past every rule that there was. In the short form, the attack then slows down. */
const BURST = rounds(900, Infinity);
const LATER_SENDS_PER_SECOND = 60;
const GUESSES_PER_SEND = rounds(0.5, 1.5);
/** How many networks guess. Each may enter 30 wrong codes in a minute. */
export const GUESSING = rounds(8, NETWORKS);
/**
 * Calls at the same time. More would wait for the mail server, and on a slow machine longer than an
 * email may wait.
 */
const WIDTH = 8;
const GUESSES_PER_CODE = 5;

/** A client in a network that requests codes. */
export const flooder = (network: number, host: number): string => `198.18.${network}.${host}`;
/** A client in a network that guesses codes. */
export const guesser = (network: number, host: number): string => `198.19.${network}.${host}`;

export interface Attack {
	/** Status and code of each answer so far. */
	readonly sends: readonly string[];
	readonly guesses: readonly string[];
	/** Networks in which a guess was refused with 429. */
	readonly refused: ReadonlySet<number>;
	stop(): Promise<void>;
}

/** Requests codes from 30 networks, and guesses those codes from others. */
export const startAttack = (server: BuiltServer, inbox: Inbox): Attack => {
	const sends: string[] = [];
	const guesses: string[] = [];
	const refused = new Set<number>();
	const mailed: string[] = [];
	let isOn = true;
	let requested = 0;
	let guessed = 0;

	const send = async (): Promise<void> => {
		const from = placeOf((requested += 1), NETWORKS);
		const email = `flooded-${requested}@example.com`;
		// Every fourth causes no email, because there is no such account.
		const type = requested % 4 === 0 ? 'email-verification' : 'sign-in';
		const answer = await post(server, SEND, flooder(from.network, from.host), { email, type });
		sends.push(outcomeOf(answer));
		if (answer.status === 200 && type === 'sign-in') mailed.push(email);
	};

	const guess = async (): Promise<void> => {
		const email = mailed[Math.floor(guessed / GUESSES_PER_CODE) % mailed.length];
		if (email === undefined) return;
		const from = placeOf((guessed += 1), GUESSING);
		const otp = wrongCode(await inbox.codeTo(email), 1 + (guessed % GUESSES_PER_CODE));
		const answer = await post(server, VERIFY, guesser(from.network, from.host), { email, otp });
		guesses.push(outcomeOf(answer));
		if (answer.status === 429) refused.add(from.network);
	};

	const began = performance.now();
	const inTurn = async (): Promise<void> => {
		while (isOn) {
			const fast = Math.min(requested, BURST);
			const due =
				began + 1000 * (fast / SENDS_PER_SECOND + (requested - fast) / LATER_SENDS_PER_SECOND);
			await pause(Math.max(0, due - performance.now()));
			await send();
			while (guessed < requested * GUESSES_PER_SEND && mailed.length > 0) await guess();
		}
	};
	const work = Promise.all(times(WIDTH, inTurn));
	return {
		sends,
		guesses,
		refused,
		stop: async () => {
			isOn = false;
			await work;
		}
	};
};

/** The networks take turns, and so do the four clients of each. */
const placeOf = (
	turn: number,
	networks: number
): { readonly network: number; readonly host: number } => ({
	network: turn % networks,
	host: 1 + (Math.floor(turn / networks) % 4)
});

const post = (server: BuiltServer, path: string, from: string, json: object): Promise<Answer> =>
	call(server, path, { json, headers: { 'x-forwarded-for': from } });

const outcomeOf = (answer: Answer): string =>
	answer.status === 200 ? '200' : `${answer.status} ${(answer.json() as { code: string }).code}`;
