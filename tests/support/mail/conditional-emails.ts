import { setTimeout as sleep } from 'node:timers/promises';
import { startBuiltServer, type BuiltServer } from '../process/built-server.ts';
import {
	API,
	bearer,
	call,
	nextClient,
	SEND,
	times,
	type Answer,
	type SignedIn
} from '../http/client.ts';
import { timedSend } from './flood.ts';
import { mailingThrough } from './mail-settings.ts';
import { startSmtpSink } from './smtp-sink.ts';

/*
 * Measures whether the duration of a send reveals an email to another address. An attacker keeps all
 * but one connection to a slow mail server busy. The attacker then makes a request that emails the
 * target only if it has an account, and times one more send to an own address.
 */

/** Connections to the mail server for emails that a request waits for. */
const CONNECTIONS = 5;

export interface SlowMail {
	readonly server: BuiltServer;
	/** Resolves when the mail server handles this many more emails to the attacker. */
	ownEmails(count: number): Promise<void>;
	stop(): Promise<void>;
}

/** A server on this database with a mail server that takes this many milliseconds for an email. */
export const startSlowMail = async (databaseUrl: string, delay: number): Promise<SlowMail> => {
	const sink = await startSmtpSink({ delay });
	const server = await startBuiltServer({ databaseUrl, env: mailingThrough(sink.port) });
	return {
		server,
		ownEmails: async (count) => {
			sink.forget();
			const own = (): number =>
				sink.mails.filter(({ recipients }) => recipients[0]?.startsWith(OWN)).length;
			while (own() < count) await sleep(1);
		},
		stop: async () => {
			await server.stop();
			await sink.stop();
		}
	};
};

export interface EmailRow {
	readonly name: string;
	/** Causes an email to the target only if it has an account, or only if it has none. */
	readonly request: (server: BuiltServer, attacker: SignedIn, target: string) => Promise<Answer>;
}

export const EMAIL_ROWS: readonly EmailRow[] = [
	{
		name: 'an own send beside email-verification',
		request: (server, _attacker, email) =>
			call(server, SEND, { json: { email, type: 'email-verification' } })
	},
	{
		name: 'an own send beside request-email-change',
		request: (server, { token }, newEmail) =>
			call(server, `${API}/email-otp/request-email-change`, {
				json: { newEmail },
				headers: bearer(token)
			})
	}
];

const OWN = 'own-';
let own = 0;
const ownSend = async (server: BuiltServer): Promise<number> => {
	own += 1;
	const { status, took } = await timedSend(server, `${OWN}${own}@example.net`, nextClient());
	if (status !== 200) throw new Error(`own send: ${status}`);
	return took;
};

/** The duration of an own send next to an email that the target may get, in milliseconds. */
export const timeOwnSend = async (
	{ server, ownEmails }: SlowMail,
	askForTarget: () => Promise<Answer>
): Promise<number> => {
	const busy = ownEmails(CONNECTIONS - 1);
	const others = times(CONNECTIONS - 1, () => ownSend(server));
	await busy;
	const { status, text } = await askForTarget();
	if (status !== 200) throw new Error(`for the target: ${status} ${text}`);
	const took = await ownSend(server);
	await Promise.all(others);
	return took;
};
