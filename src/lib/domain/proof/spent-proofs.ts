/**
 * A proof of work whose signature, lifetime and binding were checked. Only its single use is still
 * open.
 */
export interface SendProof {
	/** Identifies the puzzle. It is valid once. */
	readonly id: string;
	/** After this time the use need not be remembered, because the proof is refused as expired. */
	readonly expiresAt: Date;
}

/** Remembers which proofs were used. */
export interface SpentProofs {
	/** Records the use of a proof. Of any number of concurrent calls exactly one gets true. */
	spend(proof: SendProof): Promise<boolean>;

	/** Removes at most `limit` proofs that expired at or before `now`. Returns how many. */
	prune(now: Date, limit: number): Promise<number>;
}
