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
import type { SmtpSink } from '../support/mail/smtp-sink.ts';
import { codeMailedTo } from '../support/mail/mailed.ts';

const NETWORKS = 30;
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

/** Requests codes from 30 networks, and guesses those codes from others. */
export const startAttack = (server: BuiltServer, sink: SmtpSink) => {
	/** Status and code of each answer so far. */
	const sends: string[] = [];
	const guesses: string[] = [];
	/** Networks in which a guess was refused with 429. */
	const refused = new Set<number>();
	const mailed: string[] = [];
	let isOn = true;
	let requested = 0;
	let guessed = 0;

	/** The networks take turns, and so do the four clients of each. */
	const post = async (turn: number, path: string, json: object): Promise<Answer> => {
		const [networks, client] = path === SEND ? [NETWORKS, flooder] : [GUESSING, guesser];
		const from = client(turn % networks, 1 + (Math.floor(turn / networks) % 4));
		const answer = await call(server, path, { json, headers: { 'x-forwarded-for': from } });
		const isOk = answer.status === 200;
		const outcome = isOk ? '200' : `${answer.status} ${(answer.json() as { code: string }).code}`;
		(path === SEND ? sends : guesses).push(outcome);
		return answer;
	};
	const send = async (): Promise<void> => {
		const turn = (requested += 1);
		const email = `flooded-${turn}@example.com`;
		// Every fourth causes no email, because there is no such account.
		const type = turn % 4 === 0 ? 'email-verification' : 'sign-in';
		const { status } = await post(turn, SEND, { email, type });
		if (status === 200 && type === 'sign-in') mailed.push(email);
	};
	const guess = async (): Promise<void> => {
		const email = mailed[Math.floor(guessed / GUESSES_PER_CODE) % mailed.length];
		if (email === undefined) return;
		const turn = (guessed += 1);
		const otp = wrongCode(await codeMailedTo(sink, email), 1 + (turn % GUESSES_PER_CODE));
		const { status } = await post(turn, VERIFY, { email, otp });
		if (status === 429) refused.add(turn % GUESSING);
	};
	const work = Promise.all(
		times(WIDTH, async () => {
			while (isOn) {
				await send();
				await guess();
			}
		})
	);
	return {
		sends,
		guesses,
		refused: refused as ReadonlySet<number>,
		stop: async () => {
			isOn = false;
			await work;
		}
	};
};
