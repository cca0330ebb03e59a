import { newAddress, times, wrongCode } from '../support/http/client.ts';
import type { BuiltServer } from '../support/process/built-server.ts';
import { bearerClient, sendTo, type Client } from './clients.ts';
import { codeMailedTo } from '../support/mail/mailed.ts';
import type { SmtpSink } from '../support/mail/smtp-sink.ts';

/** One call of an honest caller. */
interface Step {
	readonly did: string;
	readonly got: string;
	/** The answer that its own calls deserve. */
	readonly right: string;
}

interface Tools {
	readonly client: Client;
	readonly email: string;
	/** Makes a call and compares its answer. A wrong answer ends the errand. */
	does(did: string, answer: Promise<Answered>, right: string): Promise<void>;
	send(right: string): Promise<void>;
	enter(otp: string, right: string): Promise<void>;
	/** The newest code that was mailed. */
	code(to?: string): Promise<string>;
}

interface Answered {
	readonly error: { readonly status: number; readonly code?: string | undefined } | null;
}

type Errand = (tools: Tools) => Promise<void>;

interface Kind {
	readonly name: string;
	/** What it did twenty minutes before the attack. */
	readonly before?: Errand;
	readonly during: Errand;
}

const OK = '200';
const INVALID = '400 INVALID_OTP';

const signIn: Errand = async ({ send, code, enter }) => {
	await send(OK);
	await enter(await code(), OK);
};

export const kinds: readonly Kind[] = [
	{
		name: 'asks for its code again and again',
		during: async ({ send, code, enter }) => {
			const codes: string[] = [];
			for (const _ of times(5, () => null)) {
				await send(OK);
				codes.push(await code());
			}
			await send('429 TOO_MANY_REQUESTS');
			const [newest = '', ...earlier] = codes.toReversed();
			await enter(earlier.find((one) => one !== newest) ?? '', INVALID);
			await enter(newest, OK);
			// Now it is a known device, which has sends of its own.
			await send(OK);
		}
	},
	{
		name: 'guesses its code too often',
		during: async (tools) => {
			const { send, code, enter } = tools;
			await send(OK);
			const otp = await code();
			for (const step of [1, 2, 3, 4, 5]) await enter(wrongCode(otp, step), INVALID);
			await enter(otp, '403 TOO_MANY_ATTEMPTS');
			await enter(otp, INVALID);
			await signIn(tools);
			await tools.does('lists its sessions', tools.client.listSessions(), OK);
		}
	},
	{
		name: 'enters its code too late',
		before: ({ send }) => send(OK),
		during: async (tools) => {
			await tools.enter(await tools.code(), '400 OTP_EXPIRED');
			await signIn(tools);
		}
	},
	{
		name: 'changes its email address in an older session',
		before: signIn,
		during: async ({ client, code, does }) => {
			const newEmail = newAddress('new');
			await does('requests', client.emailOtp.requestEmailChange({ newEmail }), OK);
			const otp = await code(newEmail);
			const wrong = client.emailOtp.changeEmail({ newEmail, otp: wrongCode(otp) });
			await does('confirms with a wrong code', wrong, INVALID);
			await does('confirms', client.emailOtp.changeEmail({ newEmail, otp }), OK);
		}
	}
];

export interface Caller {
	readonly steps: readonly Step[];
	before(): Promise<void>;
	/** Whether it came to the end of its errand. */
	during(): Promise<boolean>;
}

class WrongAnswer extends Error {}

/** A caller with the client as it is, and a network of its own unless `from` is in another one. */
export const aCaller = (server: BuiltServer, sink: SmtpSink, kind: Kind, from?: string): Caller => {
	const { client } = bearerClient(server, from);
	const email = newAddress('honest');
	const steps: Step[] = [];
	const does: Tools['does'] = async (did, answer, right) => {
		const { error } = await answer;
		const got = error === null ? OK : `${error.status} ${error.code}`;
		steps.push({ did: `${kind.name}: ${did}`, got, right });
		if (got !== right) throw new WrongAnswer();
	};
	const tools: Tools = {
		client,
		email,
		does,
		send: (right) => does('requests a code', sendTo(client, email), right),
		enter: (otp, right) => does('enters a code', client.signIn.emailOtp({ email, otp }), right),
		code: (to = email) => codeMailedTo(sink, to)
	};
	return {
		steps,
		before: async () => kind.before?.(tools),
		during: () =>
			kind.during(tools).then(
				() => true,
				(error: unknown) => {
					if (error instanceof WrongAnswer) return false;
					throw error;
				}
			)
	};
};
