/**
 * Encrypts data that a client or the database stores for us. Without the key, nobody can read or
 * change it.
 */
export interface Sealer {
	/**
	 * `context` is what the text belongs to. The result does not hold it, but `open` needs it. Two
	 * seals of the same text differ.
	 */
	seal(text: string, context: string): string;
	/** Null for anything that we did not seal for this context. Never throws. */
	open(sealed: string, context: string): string | null;
}
