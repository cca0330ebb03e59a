import { askByCode, askByLink, DELETE } from '../../support/http/account.ts';
import { bearer, call, sendCode, verifyCode, type Answer } from '../../support/http/client.ts';
import { present } from '../../support/http/fixtures.ts';
import type { BuiltServer } from '../../support/process/built-server.ts';
import { between, type Chance } from '../../support/http/seeded.ts';
import type { Attempt } from './unreliable-sink.ts';

/** An email that a response has promised. */
export interface PromisedMail {
	readonly to: string;
	/** What its subject contains. */
	readonly about: string;
}

/** How many email changes a simulated user requests, each for another address. */
const CHANGES = 2;

/** Whether a simulated user signs up with this address. */
export const signsUp = (email: string): boolean => email.startsWith('user-');

/**
 * Simulated users who sign up, request email changes and delete their accounts, each request at one of
 * the servers. They read the emails that `attempts` records.
 */
export const startMailLoad = (
	servers: readonly BuiltServer[],
	attempts: readonly Attempt[],
	chance: Chance,
	clients: readonly string[],
	onPromise: (email: PromisedMail) => void
) => {
	const failures: string[] = [];
	let isStopped = false;

	const promised = async (
		request: (server: BuiltServer) => Promise<Answer>,
		...emails: readonly PromisedMail[]
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
	const live = async (client: string): Promise<void> => {
		for (let life = 0; !isStopped; life += 1) {
			try {
				await spend(`${client}-${life}`);
			} catch (error) {
				if (!isStopped) failures.push(error instanceof Error ? error.message : String(error));
				return;
			}
		}
	};
	const all = Promise.all(clients.map(live));
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

/** After the text was dropped, the next attempt follows after this pause, in milliseconds. */
const PAUSE = 15_000;
/** After anything else, only the end of the lease can lead to another attempt. */
const LEASE = 60_000;
/** From the lease to the naming of the recipient, and for the difference of two clocks. */
const TOLERANCE = 3_000;

/**
 * Compares what responses promised with what a mail server got: emails that it never accepted, that it
 * accepted more than once, and that were sent again while an earlier attempt could hold their row.
 */
export const complaintsAboutMails = (
	promised: readonly PromisedMail[],
	attempts: readonly Attempt[]
) => {
	const byRecipient = Map.groupBy(attempts, ({ to }) => to);
	const missing = promised.filter(
		({ to, about }) =>
			!(byRecipient.get(to) ?? []).some(
				({ subject, end }) => end === 'accepted' && subject.includes(about)
			)
	);
	const emails = [...Map.groupBy(attempts, ({ messageId }) => messageId).values()].map((ofOne) =>
		ofOne.toSorted((a, b) => a.began - b.began)
	);
	const isTooSoon = (ofOne: readonly Attempt[]): boolean =>
		ofOne.some(({ began }, i) => {
			const before = ofOne[i - 1];
			if (before === undefined) return false;
			return began - before.began < (before.end === 'dropped' ? PAUSE : LEASE) - TOLERANCE;
		});
	const isTwice = (ofOne: readonly Attempt[]): boolean =>
		ofOne.filter(({ end }) => end === 'accepted').length > 1;
	return { missing, twice: emails.filter(isTwice), tooSoon: emails.filter(isTooSoon) };
};
