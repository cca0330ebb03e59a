import type { Result } from '../errors.ts';

/** What the server states in a puzzle, under its signature. */
export interface ProofTerms {
	/** A signature over the scope of the puzzle. It does not reveal the scope. */
	readonly binding: string;
	readonly expiresAt: Date;
}

/** A puzzle as clients get it. The API calls it a challenge. Its fields are those of ALTCHA 2. */
export interface ProofPuzzle {
	readonly parameters: {
		readonly algorithm: string;
		/** Iterations of the key derivation for each counter. */
		readonly cost: number;
		readonly data: Readonly<Record<string, string>>;
		/** Bytes of a derived key. */
		readonly keyLength: number;
		/** In hex. The solution is the counter whose derived key starts with it. */
		readonly keyPrefix: string;
		readonly keySignature: string;
		readonly nonce: string;
		readonly salt: string;
	};
	readonly signature: string;
}

/** The answer of a client to a puzzle. It has the right form, and nothing else is verified. */
interface ProofAnswer {
	/** Identifies the puzzle. */
	readonly id: string;
	readonly terms: ProofTerms;
	/** Whether we made this puzzle with these terms, and this solves it. Takes under 0.2 ms. */
	verify(): Promise<boolean>;
}

/** Puzzles whose answer takes a client some work. The server stores nothing about them. */
export interface ProofPuzzles {
	make(terms: ProofTerms): Promise<ProofPuzzle>;
	/** Null for text that cannot be an answer. Cheap, and never throws. */
	parse(text: string): ProofAnswer | null;
}

/** A right answer to a puzzle. Only its single use is not checked yet (`SpentProofs`). */
export interface SendProof {
	/** Identifies the puzzle. */
	readonly id: string;
	/** After this time the use need not be remembered, because the proof is refused as expired. */
	readonly expiresAt: Date;
}

/** What a proof of work is valid for. Anything else refuses it. */
export interface ProofScope {
	/** As typed. Proofs are bound to its canonical form. */
	readonly email: string;
	/** The key of the browser or program. Null binds a proof to no client. */
	readonly client: string | null;
}

type ReadAnswer = Result<SendProof | null, { readonly code: 'invalid_proof' }>;

/**
 * Makes puzzles and checks the answers of clients. A right answer is a proof of work. Its single use is
 * checked by `SpentProofs`.
 */
export interface Proofs {
	puzzle(scope: ProofScope): Promise<ProofPuzzle>;
	/**
	 * `invalid_proof` for text that cannot be an answer. Null for one that is wrong, expired or for
	 * another scope.
	 */
	readAnswer(scope: ProofScope, text: string): Promise<ReadAnswer>;
}

/** Remembers which proofs were used. */
export interface SpentProofs {
	/** Records the use of a proof. Of any number of concurrent calls exactly one gets true. */
	spend(proof: SendProof): Promise<boolean>;

	/** Removes at most `limit` proofs that expired at or before `now`. Returns how many. */
	prune(now: Date, limit: number): Promise<number>;
}

declare module '../deps.ts' {
	interface Stores {
		readonly spentProofs: SpentProofs;
	}
	interface UseCaseDeps {
		/** Whether a send by an unknown client needs a proof of work. */
		readonly proofOfWork: boolean;
	}
}
