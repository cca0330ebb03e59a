import type { Clock } from '../clock.ts';
import type { DomainNames } from '../domain-names.ts';
import { parseEmail } from '../email.ts';
import type { SendProof } from '../limits/send-proof.ts';
import type { AuthPolicy } from '../policy.ts';
import type { Signer } from '../signer.ts';
import { secondsAfter, wholeSecondsUntil } from '../time.ts';
import type { ProofScope } from './proof-scope.ts';
import type { Puzzle, Puzzles } from './puzzles.ts';
import { newTicket, parseTicket } from './tickets.ts';

/** A ticket that works after `seconds` more. */
export interface EarlyTicket {
	readonly seconds: number;
}

/**
 * Makes puzzles and tickets, and verifies what clients return. Everything except single use: the
 * store of the sends and checks records that.
 */
export interface Proofs {
	puzzle(scope: ProofScope, level: number): Promise<Puzzle>;
	ticket(scope: ProofScope): string;
	/**
	 * Undefined for text that cannot be an answer. Null for an answer that is wrong, expired, or for
	 * another scope.
	 */
	readAnswer(scope: ProofScope, text: string): Promise<SendProof | null | undefined>;
	/** Null for anything but a ticket of this scope that has not expired. */
	readTicket(scope: ProofScope, text: string): SendProof | EarlyTicket | null;
}

export interface ProofsDeps {
	readonly puzzles: Puzzles;
	readonly signer: Signer;
	readonly clock: Clock;
	readonly domainNames: DomainNames;
	readonly policy: Pick<AuthPolicy, 'proof'>;
}

export const makeProofs = (deps: ProofsDeps): Proofs => {
	const { puzzles, signer, clock } = deps;
	const { lifetime, ticketWait } = deps.policy.proof;
	const bindingOf = ({ purpose, email: typed, client }: ProofScope): string => {
		const parsed = parseEmail(typed, deps.domainNames);
		return JSON.stringify([purpose, parsed.ok ? parsed.value : typed, client]);
	};
	/** Also false for an expiry that no proof can have yet, as after the clock was set back. */
	const isCurrent = (expiresAt: Date): boolean => {
		const left = expiresAt.getTime() - clock.now().getTime();
		return left > 0 && left <= lifetime * 1000;
	};

	return {
		puzzle: (scope, level) => {
			const binding = signer.sign(`puzzle ${bindingOf(scope)}`);
			return puzzles.make({ binding, level, expiresAt: secondsAfter(clock.now(), lifetime) });
		},

		ticket: (scope) => newTicket(signer, bindingOf(scope), clock.now()),

		readAnswer: async (scope, text) => {
			const answer = puzzles.parse(text);
			if (answer === null) return undefined;
			const { id, terms } = answer;
			// The cheap checks first. They suffice to refuse an answer that was made up.
			if (!isCurrent(terms.expiresAt)) return null;
			if (!signer.verify(terms.binding, `puzzle ${bindingOf(scope)}`)) return null;
			if (!(await answer.verify())) return null;
			const { level, expiresAt } = terms;
			return { kind: 'work', id, issuedAt: secondsAfter(expiresAt, -lifetime), level, expiresAt };
		},

		readTicket: (scope, text) => {
			const ticket = parseTicket(signer, bindingOf(scope), text);
			if (ticket === null) return null;
			const { id, issuedAt } = ticket;
			const expiresAt = secondsAfter(issuedAt, lifetime);
			if (!isCurrent(expiresAt)) return null;
			const validFrom = secondsAfter(issuedAt, ticketWait);
			const now = clock.now();
			if (now < validFrom) return { seconds: wholeSecondsUntil(validFrom, now) };
			return { kind: 'ticket', id, issuedAt, level: 0, expiresAt };
		}
	};
};
