/** Encrypts what somebody else keeps for us and must neither read nor change. */
export interface Sealer {
	/** `context` is what the text belongs to: it is not in the result, but needed to open it. Two seals of the same text differ. */
	seal(text: string, context: string): string;
	/** Null for anything that was not sealed by us for this context. Never throws. */
	open(sealed: string, context: string): string | null;
}
