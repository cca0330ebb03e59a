/** What a proof of work or waiting is valid for. Anything else refuses it. */
export interface ProofScope {
	/** A proof for sending a code is not valid for checking one. */
	readonly purpose: 'send' | 'check';
	/** As typed. Proofs are bound to its canonical form. */
	readonly email: string;
	/** The key of the browser or program. Null binds a proof to no client. */
	readonly client: string | null;
}
