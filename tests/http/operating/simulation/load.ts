import type { BuiltServer, PrintedMail } from '../../../support/process/built-server.ts';
import {
	askByCode,
	changeByCode,
	CONSENT,
	DELETE,
	REVOKE_ALL
} from '../../../support/http/account.ts';
import { bearer, call, sendCode, OUT, VERIFY, type Answer } from '../../../support/http/client.ts';
import { present } from '../../../support/http/fixtures.ts';
import { learn, newLife, type Account, type Facts, type Life, type Way } from './journal.ts';
import { between, seeded, type Chance } from '../../../support/http/seeded.ts';

/*
 * Simulated users who do everything possible with an account, in any order, each one request after
 * the other and many users concurrently. Each has its own addresses, so the facts of one depend on
 * no other.
 */

interface LoadOptions {
	/** The target of the requests. */
	readonly server: BuiltServer;
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
	const lives: Life[] = [];
	const waiting = new Set<() => void>();
	const { promise: stopped, resolve: stop } = Promise.withResolvers<null>();
	let isStopped = false;
	const acknowledged = (): number => lives.reduce((sum, { deeds }) => sum + deeds.length, 0);

	/** The actions of one user, until none is left or the load stops. */
	const spend = async (life: Life, self: Self): Promise<void> => {
		for (let deeds = 0; deeds < LIFE && !isStopped; deeds += 1) {
			const { facts, person } = life;
			const open = Object.entries(DEEDS).flatMap(([name, { weight, possible }]) =>
				possible(facts, self) ? Array.from({ length: weight }, () => name) : []
			);
			const name = open[between(self.chance, 0, open.length)];
			if (name === undefined) return;
			const { send, may, result, mail } = present(DEEDS[name]).plan(facts, self);
			const before = mail === undefined ? 0 : self.server.mailsSentTo(mail.kind, mail.to);
			life.intent = { deed: name, may };
			const answer = await send();
			if (self.allows503 && answer.status === 503) return;
			const next = result(answer);
			if (next === null) {
				throw new Error(`${person}: ${name}: ${answer.status} ${answer.text.slice(0, 200)}`);
			}
			learn(life, next);
			life.deeds.push(name);
			life.intent = null;
			for (const look of waiting) look();
			if (mail === undefined) continue;
			const printed = self.server.mailFor(mail.kind, mail.to, before + 1);
			const secret = await Promise.race([printed, stopped]);
			if (secret !== null) learn(life, waitingFor(next, mail.way, mail.to, secret));
		}
	};
	const live = async (client: number): Promise<void> => {
		for (let turn = 0; !isStopped; turn += 1) {
			const person = `${options.name}-${client}-${turn}`;
			const life = newLife(person);
			lives.push(life);
			try {
				await spend(life, { ...options, person, chance: seeded(`${options.seed}/${person}`) });
			} catch (error) {
				if (!isStopped) failures.push(error instanceof Error ? error.message : String(error));
				return;
			}
		}
	};
	const all = Promise.all(Array.from({ length: options.clients }, (_, client) => live(client)));
	return {
		/** Errors that clients saw before `stop` was called. */
		failures,
		/**
		 * The journal of everything that clients received. This process is never killed, so an array is
		 * as safe as a file.
		 */
		lives: lives as readonly Life[],
		/** The requests without an answer. */
		unanswered: () => lives.flatMap(({ intent }) => intent?.deed ?? []),
		/** Resolves when this many more answers have been acknowledged. */
		acknowledged: (more: number) => {
			const wanted = acknowledged() + more;
			const reached = new Promise<void>((resolve) => {
				const look = (): void => {
					if (acknowledged() < wanted) return;
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
			isStopped = true;
			stop(null);
		},
		/** Resolves when nothing is in flight any more. */
		over: async () => void (await all)
	};
};

export type Load = ReturnType<typeof startLoad>;

interface Self extends LoadOptions {
	readonly person: string;
	readonly chance: Chance;
}

interface Plan {
	readonly send: () => Promise<Answer>;
	/** Possible facts without an answer, besides the earlier facts. */
	readonly may: () => readonly Facts[];
	/** The facts after this answer; null if it acknowledges nothing. */
	readonly result: (answer: Answer) => Facts | null;
	/** The email that follows, with the code of this way. */
	readonly mail?: { readonly kind: PrintedMail; readonly to: string; readonly way: Way };
}

interface Deed {
	readonly weight: number;
	readonly possible: (facts: Facts, self: Self) => boolean;
	readonly plan: (facts: Facts, self: Self) => Plan;
}

const ok = (answer: Answer): boolean => answer.status === 200;
const addressOf = (facts: Facts, { person }: Self): string =>
	facts.account?.email ?? `${person}.0@example.com`;
const counted = (facts: Facts, email: string): Facts => ({
	...facts,
	sends: { ...facts.sends, [email]: (facts.sends[email] ?? 0) + 1 }
});
const waitingFor = (facts: Facts, way: Way, email: string, secret: string | null): Facts => {
	const by = way === 'sign_in' ? null : first(facts);
	return { ...facts, waiting: { ...facts.waiting, [way]: { email, secret, by } } };
};
const tokensOf = ({ sessions }: Facts): readonly string[] =>
	sessions.filter((token) => token !== null);
const change = (facts: Facts, but: Partial<Account>): Facts => ({
	...facts,
	account: { ...present(facts.account), ...but }
});
const first = (facts: Facts): string => present(tokensOf(facts)[0]);
const isSignedIn = (facts: Facts): boolean => tokensOf(facts).length > 0;

/** An action that happens wholly or not at all. */
const whole = (send: () => Promise<Answer>, after: Facts): Plan => ({
	send,
	may: () => [after],
	result: (answer) => (ok(answer) ? after : null)
});

const post = ({ server }: Self, path: string, token: string): Promise<Answer> =>
	call(server, path, { json: {}, headers: bearer(token) });

const DEEDS: Readonly<Record<string, Deed>> = {
	'ask for a code': {
		weight: 3,
		possible: (facts, self) => (facts.sends[addressOf(facts, self)] ?? 0) < SENDS,
		plan: (facts, self) => {
			const to = addressOf(facts, self);
			const sent = counted(facts, to);
			const kind = 'sign-in code';
			const before = self.server.mailsSentTo(kind, to);
			return {
				send: () => sendCode(self.server, to),
				may: () => {
					// The email is sent before its code is valid.
					const [code] = self.server.mails(kind, to).slice(before);
					return [sent, ...(code === undefined ? [] : [waitingFor(sent, 'sign_in', to, code)])];
				},
				result: (answer) => (ok(answer) ? waitingFor(sent, 'sign_in', to, null) : null),
				mail: { kind, to, way: 'sign_in' }
			};
		}
	},
	'sign in': {
		weight: 6,
		possible: ({ waiting }) => (waiting.sign_in?.secret ?? null) !== null,
		plan: (facts, { server }) => {
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
	},
	'sign out': {
		weight: 1,
		possible: isSignedIn,
		plan: (facts, self) => {
			const [token = '', ...sessions] = tokensOf(facts);
			const pending = Object.entries(facts.waiting).filter(([, { by }]) => by !== token);
			const waiting = Object.fromEntries(pending);
			return whole(() => post(self, OUT, token), { ...facts, sessions, waiting });
		}
	},
	'sign out everywhere': {
		weight: 1,
		possible: (facts) => tokensOf(facts).length > 1,
		plan: (facts, self) => {
			const ended = { ...facts, sessions: [], waiting: {} };
			return whole(() => post(self, REVOKE_ALL, first(facts)), ended);
		}
	},
	'ask to move': {
		weight: 3,
		possible: (facts) => isSignedIn(facts) && Object.keys(facts.sends).length < SENDS,
		plan: (facts, self) => {
			const to = `${self.person}.${Object.keys(facts.sends).length}@example.com`;
			const sent = counted(facts, to);
			const after = waitingFor(sent, 'email_change', to, null);
			return {
				send: () => askByCode(self.server, bearer(first(facts)), to),
				may: () => [sent, after],
				result: (answer) => (ok(answer) ? after : null),
				mail: { kind: 'email-change code', to, way: 'email_change' }
			};
		}
	},
	move: {
		weight: 4,
		possible: (facts) => isSignedIn(facts) && (facts.waiting.email_change?.secret ?? null) !== null,
		plan: (facts, { server }) => {
			const { email, secret } = present(facts.waiting.email_change);
			return whole(() => changeByCode(server, bearer(first(facts)), email, secret), {
				...change(facts, { email }),
				sessions: [first(facts)],
				waiting: {}
			});
		}
	},
	consent: {
		weight: 3,
		possible: (facts) => isSignedIn(facts) && facts.account?.consented === false,
		plan: (facts, { server }) =>
			whole(
				() => call(server, CONSENT, { method: 'POST', headers: bearer(first(facts)) }),
				change(facts, { consented: true })
			)
	},
	'delete the account': {
		weight: 1,
		possible: isSignedIn,
		plan: (facts, self) =>
			whole(() => post(self, DELETE, first(facts)), {
				...change(facts, { deleted: true }),
				sessions: [],
				waiting: {}
			})
	}
};
