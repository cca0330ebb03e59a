/** Proves that something was made by us. */
export interface Signer {
	sign(text: string): string;
	/** In constant time; false for anything that is no signature of this text. Never throws. */
	verify(signature: string, text: string): boolean;
}
