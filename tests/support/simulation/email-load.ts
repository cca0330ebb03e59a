import { askByCode, askByLink } from '../http/email-change.ts';
import { DELETE } from '../http/account.ts';
import { bearer, call, sendCode, verifyCode, type Answer } from '../http/client.ts';
import { present } from '../http/fixtures.ts';
import type { Attempt } from '../mail/unreliable-sink.ts';
import type { BuiltServer } from '../process/built-server.ts';
import { between, type Chance } from './seeded.ts';

/** An email that a response has promised. */
export interface PromisedEmail {
	readonly to: string;
	/** What its subject contains. */
	readonly about: string;
}

export interface EmailLoadOptions {
	/** The servers that answer now. Each request goes to one of them. */
	readonly servers: readonly BuiltServer[];
	/** What the mail server got so far. */
	readonly attempts: readonly Attempt[];
	readonly chance: Chance;
	readonly clients: number;
	/** The prefix of the email addresses. */
	readonly name: string;
	/** Called for each email that a response has promised. */
	readonly onPromise: (email: PromisedEmail) => void;
}

/** How many email changes a simulated user requests, each for another address. */
const CHANGES = 2;

/** Whether a simulated user signs up with this address. */
export const signsUp = (email: string): boolean => email.startsWith('user-');

/** Simulated users who sign up, request email changes and delete their accounts. */
export const startEmailLoad = (options: EmailLoadOptions) => {
	const { servers, attempts, chance, name, onPromise } = options;
	const failures: string[] = [];
	let isStopped = false;

	const promised = async (
		request: (server: BuiltServer) => Promise<Answer>,
		...emails: readonly PromisedEmail[]
	): Promise<Answer> => {
		const answer = await request(present(servers[between(chance, 0, servers.length)]));
		if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
		emails.forEach(onPromise);
		return answer;
	};

	const spend = async (life: string): Promise<void> => {
		const email = `user-${life}@example.com`;
		await promised((server) => sendCode(server, email));
		const code = present(/\b\d{6}\b/.exec(present(attempts.find(({ to }) => to === email)).text));
		const welcome = { to: email, about: 'Welcome to' };
		const answer = await promised((server) => verifyCode(server, email, code[0]), welcome);
		const headers = bearer((answer.json() as { token: string }).token);
		for (let change = 0; change < CHANGES && !isStopped; change += 1) {
			const to = `new-${change}-${life}@example.com`;
			const ask = change % 2 === 0 ? askByCode : askByLink;
			const about = 'Confirm your new email address';
			await promised((server) => ask(server, headers, to), { to, about });
		}
		if (isStopped) return;
		const deleted = { to: email, about: 'was deleted' };
		await promised((server) => call(server, DELETE, { json: {}, headers }), deleted);
	};

	const live = async (client: number): Promise<void> => {
		for (let life = 0; !isStopped; life += 1) {
			try {
				await spend(`${name}-${client}-${life}`);
			} catch (error) {
				if (!isStopped) failures.push(error instanceof Error ? error.message : String(error));
				return;
			}
		}
	};

	const all = Promise.all(Array.from({ length: options.clients }, (_, client) => live(client)));
	return {
		/** What went wrong before `stop` was called. */
		failures,
		/** Starts nothing new. Until it resolves, a response may be missing. */
		stop: async () => {
			isStopped = true;
			await all;
		}
	};
};
