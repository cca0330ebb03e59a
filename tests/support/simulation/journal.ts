/** The facts of one simulated person. */
export interface Facts {
	readonly account: Account | null;
	/** The tokens of the sessions; null for one whose token no client received. */
	readonly sessions: readonly (string | null)[];
	readonly waiting: Readonly<Partial<Record<Way, Waiting>>>;
	/** Sends counted so far, by address. */
	readonly sends: Readonly<Record<string, number>>;
}

export interface Account {
	/** Null if no client received the answer with its name. */
	readonly id: string | null;
	readonly email: string;
	readonly deleted: boolean;
	readonly consented: boolean;
}

/** A code or a link that was sent; its secret is null until its email is seen. */
export interface Waiting {
	readonly email: string;
	readonly secret: string | null;
	/**
	 * The token of the session that requested it, which voids it when it ends; null if none is
	 * needed.
	 */
	readonly by?: string | null;
}

/** As in the column `purpose`. */
export type Way = 'sign_in' | 'email_change' | 'email_change_link';

export const NOTHING: Facts = { account: null, sessions: [], waiting: {}, sends: {} };

/** A request that was sent, and all possible facts if its answer never arrives. */
export interface Intent {
	readonly deed: string;
	readonly may: () => readonly Facts[];
}

/** Everything that clients received for one person. */
export interface Life {
	readonly person: string;
	/** What was acknowledged, in order. */
	readonly deeds: readonly string[];
	/** The facts since the last acknowledgement. */
	readonly facts: Facts;
	/** The one request without an answer, if there is one. */
	readonly intent: Intent | null;
	/** Every token that was ever issued. */
	readonly tokens: readonly string[];
	/** Every sign-in code that was ever sent. */
	readonly codes: readonly Waiting[];
}

/**
 * The log of everything that the clients of a test received. Entries are only added, before the
 * client continues. An array is as safe as a file: only the server is killed, and this process
 * must live to compare.
 */
export interface Journal {
	/** A person has at most one request in flight, so at most one fact is uncertain. */
	intend(person: string, intent: Intent): void;
	acknowledge(person: string, deed: string, facts: Facts): void;
	/** Stores the secret from the email after an answer. */
	learn(person: string, facts: Facts): void;
	/** The number of answers. */
	readonly acknowledged: number;
	/** The requests without an answer. */
	readonly unanswered: readonly string[];
	lives(): readonly Life[];
}

export const openJournal = (): Journal => {
	const entries: { person: string; deed: string | null; facts: Facts }[] = [];
	let acknowledged = 0;
	const intents = new Map<string, Intent>();
	return {
		intend: (person, intent) => void intents.set(person, intent),
		acknowledge: (person, deed, facts) => {
			entries.push({ person, deed, facts });
			intents.delete(person);
			acknowledged += 1;
		},
		learn: (person, facts) => void entries.push({ person, deed: null, facts }),
		get acknowledged() {
			return acknowledged;
		},
		get unanswered() {
			return [...intents.values()].map(({ deed }) => deed);
		},
		lives: () => {
			const people = new Set([...entries.map(({ person }) => person), ...intents.keys()]);
			return [...people].map((person) => {
				const own = entries.filter((entry) => entry.person === person);
				const ever = own.map(({ facts }) => facts);
				return {
					person,
					deeds: own.flatMap(({ deed }) => deed ?? []),
					facts: ever.at(-1) ?? NOTHING,
					intent: intents.get(person) ?? null,
					tokens: [...new Set(ever.flatMap(({ sessions }) => sessions))].filter(
						(token) => token !== null
					),
					codes: [...new Set(ever.map(({ waiting }) => waiting.sign_in))].filter(
						(code) => code !== undefined
					)
				};
			});
		}
	};
};
