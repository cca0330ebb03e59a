/** Signs texts, to prove later that we made them. */
export interface Signer {
	sign(text: string): string;
	/**
	 * Runs in constant time. False for anything that is not a signature of this text. Never throws.
	 */
	verify(signature: string, text: string): boolean;
}
