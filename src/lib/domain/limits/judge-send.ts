import type { AuthPolicy } from '../policy.ts';
import { emailsFor, nextHour, ticketsOf } from './budget.ts';
import { demandOf } from './demand.ts';
import { countedIn, freeAt, type CountedPlace } from './send-window.ts';
import type { SendProof } from './send-proof.ts';
import type { Refusal, Send } from './throttle.ts';

/** What a store has counted when a send arrives. It holds the locks that keep it true. */
export interface SendState {
	readonly places: readonly CountedPlace[];
	/** Emails of this hour, and codes that were used in it. */
	readonly emails: number;
	readonly usedCodes: number;
	/** Emails of this hour for unknown clients in the network. */
	readonly network: number;
	/** Emails of this hour that were sent for tickets. */
	readonly tickets: number;
	/** Tickets of the network that were used since the ticket of this send was issued. */
	readonly overlapping: number;
}

/** `spends` is the proof that the send needs. The store records its use, or refuses the send. */
export type Verdict = Refusal | { readonly kind: 'allowed'; readonly spends: SendProof | null };

/** The refusal when five sends of the mailbox or of the account's known devices count. Or null. */
export const fullMailbox = (
	{ now, knownAs }: Pick<Send, 'now' | 'knownAs'>,
	places: readonly CountedPlace[],
	policy: AuthPolicy
): Refusal | null => {
	const { sends, window } = policy.throttle;
	const counted = countedIn(places, now, window);
	if (counted.length < sends) return null;
	// The next send is the fifth again. It says the same to every unknown client.
	const next = { emails: 0, usedCodes: 0, network: 0, sends: sends - 1, fromNetwork: sends - 1 };
	const level = knownAs === null ? demandOf(next, policy).level : null;
	return { kind: 'full', retryAt: freeAt(counted, now, window), level };
};

/** Whether a send is allowed. Writes nothing, so a refused send counts nothing. */
export const judgeSend = (send: Send, state: SendState, policy: AuthPolicy): Verdict => {
	const { now, knownAs, network, proof } = send;
	const { budget, throttle } = policy;
	const full = fullMailbox(send, state.places, policy);
	if (full !== null) return full;
	const isKnown = knownAs !== null;
	const counted = countedIn(state.places, now, throttle.window);
	const fromNetwork = counted.filter((place) => place.network === network).length;
	const { level, isBeyond } = isKnown
		? { level: null, isBeyond: false }
		: demandOf({ ...state, sends: counted.length, fromNetwork }, policy);
	const emails = emailsFor(budget, isKnown);
	if (isBeyond || (emails !== null && state.emails >= emails)) return overBudget(now);
	if (level === null) return { kind: 'allowed', spends: null };
	const ticketAllowed = state.tickets < ticketsOf(budget);
	const isEnough =
		proof?.kind === 'ticket'
			? ticketAllowed && state.overlapping < budget.openTickets
			: proof !== null && proof.level >= level;
	return isEnough
		? { kind: 'allowed', spends: proof }
		: { kind: 'proof_required', level, ticketAllowed };
};

export const overBudget = (now: Date): Refusal => ({ kind: 'over_budget', retryAt: nextHour(now) });
