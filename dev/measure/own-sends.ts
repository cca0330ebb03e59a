import { setTimeout as sleep } from 'node:timers/promises';
import { startBuiltServer, type BuiltServer } from '../../tests/support/process/built-server.ts';
import {
	API,
	bearer,
	call,
	nextClient,
	SEND,
	signIn,
	times
} from '../../tests/support/http/client.ts';
import { mailingThrough } from '../../tests/support/mail/mail-settings.ts';
import { startSmtpSink } from '../../tests/support/mail/smtp-sink.ts';
import { compare, forgetSends, somePeople } from './enumeration.ts';
import { timedSend } from './floods.ts';
import { withServer, type Measure } from './kit.ts';

// R05: whether the duration of a send reveals an email to another address. An attacker keeps all but
// one connection to a slow mail server busy. The attacker then makes a request that emails the target
// only if it has an account, and times one more send to an own address.

/** How many email addresses of each kind. */
const COUNT = 1000;
/** How long the mail server takes for an email, in milliseconds. */
const DELAY = 30;
/** Connections to the mail server for emails that a request waits for. */
const CONNECTIONS = 5;
const OWN = 'own-';
const CHANGE = `${API}/email-otp/request-email-change`;

interface Situation {
	readonly name: string;
	readonly env?: Readonly<Record<string, string>>;
	/** The connections that the attacker keeps busy; none where no request waits for its email. */
	readonly busy: number;
	/** Emails the target only if it has an account, or only if it has none. */
	readonly path: string;
	readonly body: (target: string) => object;
}

const situations: readonly Situation[] = [
	{
		name: 'email-verification',
		busy: CONNECTIONS - 1,
		path: SEND,
		body: (email) => ({ email, type: 'email-verification' })
	},
	{
		name: 'request-email-change',
		busy: CONNECTIONS - 1,
		path: CHANGE,
		body: (newEmail) => ({ newEmail })
	},
	{
		name: 'a request for a code, with SIGN_UP=closed',
		env: { SIGN_UP: 'closed' },
		busy: 0,
		path: SEND,
		body: (email) => ({ email, type: 'sign-in' })
	}
];

let own = 0;
const ownSend = async (server: BuiltServer): Promise<number> => {
	own += 1;
	const { status, took } = await timedSend(server, `${OWN}${own}@example.net`, nextClient());
	if (status !== 200) throw new Error(`own send: ${status}`);
	return took;
};

export const ownSends: Measure = (report) =>
	withServer('SQLite', {}, async (open) => {
		const people = await somePeople(open, COUNT);
		const sink = await startSmtpSink({ delay: DELAY });
		const owned = () => sink.mails.filter(({ recipients }) => recipients[0]?.startsWith(OWN));
		for (const { name, env, busy, path, body } of situations) {
			const { databaseUrl } = open;
			const settings = { ...mailingThrough(sink.port), ...env };
			const server = await startBuiltServer({ databaseUrl, env: settings });
			const { token } = await signIn(open);
			const time = async (target: string): Promise<number> => {
				sink.forget();
				const others = times(busy, () => ownSend(server));
				while (owned().length < busy) await sleep(1);
				const headers = path === CHANGE ? bearer(token) : {};
				const { status, text } = await call(server, path, { json: body(target), headers });
				if (status !== 200) throw new Error(`for the target: ${status} ${text}`);
				const took = await ownSend(server);
				await Promise.all(others);
				return took;
			};
			report(await compare(`an own send beside ${name}`, people, time));
			await forgetSends(server);
			await server.stop();
		}
		await sink.stop();
	});
