import type { AuthPolicy } from '../policy.ts';
import type { SendProof } from './send-proof.ts';
import type { Network } from './sender.ts';

/** Remembers which proofs were used. The throttle records those of sends itself. */
export interface SpentProofs {
	/**
	 * Records the use of a proof for a check. False when it was used before: of concurrent calls
	 * exactly one gets true. Also false for a ticket when `policy.budget.openTickets` others of its
	 * network were used since it was issued, or when `checkTicketsOf` the policy were spent in the
	 * minute of `now`. That is exact under concurrency over all instances. A refused proof is not spent.
	 */
	spend(proof: SendProof, network: Network, now: Date, policy: AuthPolicy): Promise<boolean>;

	/** Tickets that were spent for checks in the minute of `now`. */
	ticketsSpent(now: Date): Promise<number>;

	/**
	 * Removes at most `limit` proofs that expired at or before `now`. Returns how many. Never removes
	 * one that is valid.
	 */
	prune(now: Date, limit: number): Promise<number>;
}
