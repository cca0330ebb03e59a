/** What is true of one simulated person. */
export interface Facts {
	readonly account: Account | null;
	/** The tokens of the sessions; null for one whose token nobody has heard. */
	readonly sessions: readonly (string | null)[];
	readonly waiting: Readonly<Partial<Record<Way, Waiting>>>;
	/** Sends counted so far, by address. */
	readonly sends: Readonly<Record<string, number>>;
}

export interface Account {
	/** Null when the answer that names it was not heard. */
	readonly id: string | null;
	readonly email: string;
	readonly deleted: boolean;
	readonly consented: boolean;
}

/** A code or a link that was sent; its secret is null while no mail with it was seen. */
export interface Waiting {
	readonly email: string;
	readonly secret: string | null;
	/** The token of the session that requested it, which it ends with; null where none is needed. */
	readonly by?: string | null;
}

/** As the column `purpose` has them. */
export type Way = 'sign_in' | 'email_change' | 'email_change_link';

export const NOTHING: Facts = { account: null, sessions: [], waiting: {}, sends: {} };

/** A request that has been sent, and all that may be true afterwards if its answer is never heard. */
export interface Intent {
	readonly deed: string;
	readonly may: () => readonly Facts[];
}

/** All that was heard of one person. */
export interface Life {
	readonly person: string;
	/** What was acknowledged, in order. */
	readonly deeds: readonly string[];
	/** True since the last acknowledgement. */
	readonly facts: Facts;
	/** The one request without an answer, if there is one. */
	readonly intent: Intent | null;
	/** Every token there ever was. */
	readonly tokens: readonly string[];
	/** Every sign-in code there ever was. */
	readonly codes: readonly Waiting[];
}

/**
 * The log of everything the clients of a test have heard. It is only ever added to, and before the
 * client goes on. An array is as good as a file: what is killed is the server, while this process
 * lives to compare, and were it to die there would be nobody to ask.
 */
export interface Journal {
	/** A person has at most one request under way, so at most one fact is open. */
	intend(person: string, intent: Intent): void;
	acknowledge(person: string, deed: string, facts: Facts): void;
	/** Notes the secret that came by mail after an answer. */
	learn(person: string, facts: Facts): void;
	/** How many answers. */
	readonly acknowledged: number;
	/** What was asked and never answered. */
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
