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

/** A code that was sent; its secret is null until its email is seen. */
export interface Waiting {
	readonly email: string;
	readonly secret: string | null;
	/** The token of the session that requested it, which voids it when it ends; null if none does. */
	readonly by: string | null;
}

/** As in the column `purpose`. */
export type Way = 'sign_in' | 'email_change';

/** A request that was sent, and all possible facts if its answer never arrives. */
interface Intent {
	readonly deed: string;
	readonly may: () => readonly Facts[];
}

/** Everything that clients received for one person, who has at most one request in flight. */
export interface Life {
	readonly person: string;
	/** What was acknowledged, in order. */
	readonly deeds: string[];
	/** The facts since the last acknowledgement. */
	facts: Facts;
	/** The one request without an answer, if there is one. */
	intent: Intent | null;
	/** Every token that was ever issued. */
	readonly tokens: Set<string>;
	/** Every sign-in code that was ever sent. */
	readonly codes: Set<Waiting>;
}

export const newLife = (person: string): Life => ({
	person,
	deeds: [],
	facts: { account: null, sessions: [], waiting: {}, sends: {} },
	intent: null,
	tokens: new Set(),
	codes: new Set()
});

/** Records the facts of an answer, or of the email after it, before the client continues. */
export const learn = (life: Life, facts: Facts): void => {
	life.facts = facts;
	for (const token of facts.sessions) if (token !== null) life.tokens.add(token);
	if (facts.waiting.sign_in) life.codes.add(facts.waiting.sign_in);
};
