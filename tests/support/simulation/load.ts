import type { BuiltServer, PrintedMail } from '../process/built-server.ts';
import { CONSENT, DELETE, REVOKE, REVOKE_ALL, REVOKE_OTHERS } from '../http/account.ts';
import {
	bearer,
	call,
	me,
	sendCode,
	OUT,
	VERIFY,
	type Answer,
	type SignedIn
} from '../http/client.ts';
import {
	askByCode,
	askByLink,
	changeByCode,
	confirmLink,
	linkOutcome,
	CHANGED,
	type FormKey
} from '../http/email-change.ts';
import { present } from '../http/fixtures.ts';
import { NOTHING, type Account, type Facts, type Journal, type Way } from './journal.ts';
import type { Mailbox } from '../mail/mailbox.ts';
import { between, seeded, type Chance } from './seeded.ts';
import { SESSION } from '../http/cookie-jar.ts';

/*
 * Simulated users who do everything possible with an account, in any order, each one request after
 * the other and many users concurrently. Each has its own addresses, so the facts of one depend on
 * no other.
 */

export interface LoadOptions {
	/** The target of the requests. */
	readonly server: BuiltServer;
	readonly mailbox: Mailbox;
	readonly journal: Journal;
	readonly form: FormKey;
	readonly clients: number;
	/** Determines the names of the users and what they do. */
	readonly seed: string;
	/** The prefix of the users’ names; two loads on one database need different ones. */
	readonly name: string;
	/** A user who gets 503, from a busy machine, does nothing more. Otherwise 503 is an error. */
	readonly allows503?: boolean;
}

/** The number of actions of one user. */
const LIFE = 24;
/** The sends that an address may have in a window. */
const SENDS = 5;

export const startLoad = (options: LoadOptions) => {
	const failures: string[] = [];
	const waiting = new Set<() => void>();
	let stopped = false;
	const isStopped = (): boolean => stopped;

	const live = async (client: number): Promise<void> => {
		for (let life = 0; !stopped; life += 1) {
			const person = `${options.name}-${client}-${life}`;
			const chance = seeded(`${options.seed}/${person}`);
			try {
				await spend({ ...options, person, chance, isStopped }, () =>
					waiting.forEach((look) => look())
				);
			} catch (error) {
				if (!stopped)
					failures.push(`${person}: ${error instanceof Error ? error.message : String(error)}`);
				return;
			}
		}
	};
	const all = Promise.all(Array.from({ length: options.clients }, (_, client) => live(client)));
	return {
		/** Errors that clients saw before `stop` was called. */
		failures,
		/** Resolves when this many more answers have been acknowledged. */
		acknowledged: (more: number) => {
			const wanted = options.journal.acknowledged + more;
			const reached = new Promise<void>((resolve) => {
				const look = (): void => {
					if (options.journal.acknowledged < wanted) return;
					waiting.delete(look);
					resolve();
				};
				waiting.add(look);
			});
			const none = all.then(() => {
				throw new Error(`no client is running any more: ${failures.join('; ')}`);
			});
			return Promise.race([reached, none]);
		},
		/** Starts nothing new, and from now on an answer may be missing. */
		stop: () => {
			stopped = true;
		},
		/** Resolves when nothing is in flight any more. */
		over: async () => void (await all)
	};
};

export type Load = ReturnType<typeof startLoad>;

interface Self extends LoadOptions {
	readonly person: string;
	readonly chance: Chance;
	readonly isStopped: () => boolean;
}

/** The actions of one user, until none is left or the load stops. */
const spend = async (self: Self, acknowledged: () => void): Promise<void> => {
	let facts = NOTHING;
	for (let deeds = 0; deeds < LIFE && !self.isStopped(); deeds += 1) {
		const open = Object.entries(DEEDS).flatMap(([name, [weight, possible]]) =>
			possible(facts, self) ? Array.from({ length: weight }, () => name) : []
		);
		const name = open[between(self.chance, 0, open.length)];
		if (name === undefined) return;
		const [, , plan] = present(DEEDS[name]);
		const { send, may, result, mail } = await plan(facts, self);
		const before = mail === undefined ? 0 : self.mailbox.mails(...mail).length;
		self.journal.intend(self.person, { deed: name, may });
		const answer = await send();
		if (self.allows503 && answer.status === 503) return;
		const next = result(answer);
		if (next === null) throw new Error(`${name}: ${answer.status} ${answer.text.slice(0, 200)}`);
		facts = next;
		self.journal.acknowledge(self.person, name, facts);
		acknowledged();
		if (mail === undefined) continue;
		const secret = await self.mailbox.newest(...mail, before + 1, self.isStopped);
		facts = withSecret(facts, name, secret);
		if (secret !== null) self.journal.learn(self.person, facts);
	}
};

interface Plan {
	readonly send: () => Promise<Answer>;
	/** Possible facts without an answer, besides the earlier facts. */
	readonly may: () => readonly Facts[];
	/** The facts after this answer; null if it acknowledges nothing. */
	readonly result: (answer: Answer) => Facts | null;
	/** The email that follows. */
	readonly mail?: readonly [PrintedMail, string];
}

type Deed = readonly [
	weight: number,
	possible: (facts: Facts, self: Self) => boolean,
	plan: (facts: Facts, self: Self) => Plan | Promise<Plan>
];

const ok = (answer: Answer): boolean => answer.status === 200;
const addressOf = (facts: Facts, { person }: Self): string =>
	facts.account?.email ?? `${person}.0@example.com`;
/** An address that this user has not used so far. */
const newAddressOf = ({ sends }: Facts, { person }: Self): string =>
	`${person}.${Object.keys(sends).length}@example.com`;
const counted = (facts: Facts, email: string): Facts => ({
	...facts,
	sends: { ...facts.sends, [email]: (facts.sends[email] ?? 0) + 1 }
});
const waitingFor = (
	facts: Facts,
	way: Way,
	email: string,
	secret: string | null,
	by: string | null = null
): Facts => ({
	...facts,
	waiting: { ...facts.waiting, [way]: { email, secret, by } }
});
/** What is pending once the session of this token has ended. */
const pendingWithout = ({ waiting }: Facts, token: string): Facts['waiting'] =>
	Object.fromEntries(Object.entries(waiting).filter(([, { by }]) => by !== token));
const tokensOf = ({ sessions }: Facts): readonly string[] =>
	sessions.filter((token) => token !== null);
const change = (facts: Facts, but: Partial<Account>): Facts => ({
	...facts,
	account: { ...present(facts.account), ...but }
});
const first = (facts: Facts): string => present(tokensOf(facts)[0]);
const isSignedIn = (facts: Facts): boolean => tokensOf(facts).length > 0;
const hasTwo = (facts: Facts): boolean => tokensOf(facts).length > 1;

/** An action that happens wholly or not at all. */
const whole = (
	send: () => Promise<Answer>,
	after: Facts,
	done: (answer: Answer) => boolean = ok
): Plan => ({ send, may: () => [after], result: (answer) => (done(answer) ? after : null) });

const post = ({ server }: Self, path: string, token: string, json: unknown = {}): Promise<Answer> =>
	call(server, path, { json, headers: bearer(token) });

const WAYS: Readonly<Record<string, Way>> = {
	'ask for a code': 'sign_in',
	'ask to move by code': 'email_change',
	'ask to move by link': 'email_change_link'
};
const withSecret = (facts: Facts, deed: string, secret: string | null): Facts => {
	const way = present(WAYS[deed]);
	const { email, by = null } = present(facts.waiting[way]);
	return waitingFor(facts, way, email, secret, by);
};

const changeRequest = (
	way: 'email_change' | 'email_change_link',
	kind: PrintedMail,
	request: typeof askByCode
): Deed => [
	2,
	(facts) => isSignedIn(facts) && Object.keys(facts.sends).length < SENDS,
	(facts, self) => {
		const to = newAddressOf(facts, self);
		const sent = counted(facts, to);
		const after = waitingFor(sent, way, to, null, first(facts));
		return {
			send: () => request(self.server, bearer(first(facts)), to),
			may: () => [sent, after],
			result: (answer) => (ok(answer) ? after : null),
			mail: [kind, to]
		};
	}
];

/** The state after a move: one session, no code for the old address, no other change. */
const moved = (facts: Facts, to: string): Facts => ({
	...change(facts, { email: to }),
	sessions: [first(facts)],
	waiting: {}
});

const DEEDS: Readonly<Record<string, Deed>> = {
	'ask for a code': [
		3,
		(facts, self) => (facts.sends[addressOf(facts, self)] ?? 0) < SENDS,
		(facts, self) => {
			const email = addressOf(facts, self);
			const sent = counted(facts, email);
			const kind = 'sign-in code';
			const before = self.mailbox.mails(kind, email).length;
			return {
				send: () => sendCode(self.server, email),
				may: () => {
					// The email is sent before its code is valid.
					const [code] = self.mailbox.mails(kind, email).slice(before);
					return [sent, ...(code === undefined ? [] : [waitingFor(sent, 'sign_in', email, code)])];
				},
				result: (answer) => (ok(answer) ? waitingFor(sent, 'sign_in', email, null) : null),
				mail: [kind, email]
			};
		}
	],
	'sign in': [
		6,
		({ waiting }) => (waiting.sign_in?.secret ?? null) !== null,
		(facts, { server }) => {
			const { email, secret } = present(facts.waiting.sign_in);
			const { sign_in: _, ...waiting } = facts.waiting;
			const as = (id: string | null, token: string | null): Facts => ({
				...facts,
				account: { ...(facts.account ?? { id, email, consented: false }), deleted: false },
				sessions: [...facts.sessions, token],
				waiting
			});
			return {
				send: () => call(server, VERIFY, { json: { email, otp: secret, restore: true } }),
				may: () => [as(null, null)],
				result: (answer) => {
					if (!ok(answer)) return null;
					const { token, user } = answer.json() as { token: string; user: { id: string } };
					return as(user.id, token);
				}
			};
		}
	],
	'sign out': [
		1,
		isSignedIn,
		(facts, self) => {
			const [token = '', ...rest] = tokensOf(facts);
			const waiting = pendingWithout(facts, token);
			return whole(() => post(self, OUT, token), { ...facts, sessions: rest, waiting });
		}
	],
	'end another session': [
		2,
		hasTwo,
		async (facts, self) => {
			const [token = '', other = '', ...rest] = tokensOf(facts);
			const handle = present(await me(self.server, bearer(other))).session['token'];
			return whole(() => post(self, REVOKE, token, { token: handle }), {
				...facts,
				sessions: [token, ...rest],
				waiting: pendingWithout(facts, other)
			});
		}
	],
	'end all other sessions': [
		1,
		hasTwo,
		(facts, self) =>
			whole(() => post(self, REVOKE_OTHERS, first(facts)), {
				...facts,
				sessions: [first(facts)],
				waiting: {}
			})
	],
	'sign out everywhere': [
		1,
		hasTwo,
		(facts, self) =>
			whole(() => post(self, REVOKE_ALL, first(facts)), { ...facts, sessions: [], waiting: {} })
	],
	'ask to move by code': changeRequest('email_change', 'email-change code', askByCode),
	'ask to move by link': changeRequest('email_change_link', 'email-change link', askByLink),
	'move by code': [
		3,
		(facts) => isSignedIn(facts) && (facts.waiting.email_change?.secret ?? null) !== null,
		(facts, { server }) => {
			const { email, secret } = present(facts.waiting.email_change);
			const confirm = () => changeByCode(server, bearer(first(facts)), email, secret);
			return whole(confirm, moved(facts, email));
		}
	],
	'move by link': [
		3,
		(facts) => isSignedIn(facts) && (facts.waiting.email_change_link?.secret ?? null) !== null,
		(facts, { server, form }) => {
			const { email, secret } = present(facts.waiting.email_change_link);
			// All relevant facts of a user who confirms.
			const person = { cookie: `${SESSION}=${first(facts)}` } as SignedIn;
			return whole(
				() => confirmLink(server, form, person, present(secret)),
				moved(facts, email),
				(answer) => linkOutcome(answer) === CHANGED
			);
		}
	],
	consent: [
		3,
		(facts) => isSignedIn(facts) && facts.account?.consented === false,
		(facts, { server }) =>
			whole(
				() => call(server, CONSENT, { method: 'POST', headers: bearer(first(facts)) }),
				change(facts, { consented: true })
			)
	],
	'delete the account': [
		1,
		isSignedIn,
		(facts, self) =>
			whole(() => post(self, DELETE, first(facts)), {
				...change(facts, { deleted: true }),
				sessions: [],
				waiting: {}
			})
	]
};
