/** The passing of time, so that a test can decide it. */
export interface Timing {
	/** Milliseconds since any fixed moment; never goes back. */
	now(): number;
	/** Calls `then` once after so many milliseconds. Returns what cancels that. */
	after(milliseconds: number, then: () => void): () => void;
}
