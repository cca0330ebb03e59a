/** A clock and a timer that tests can control. */
export interface Timing {
	/** Milliseconds since an arbitrary moment; never goes back. */
	now(): number;
	/** Calls `then` once after this many milliseconds. Returns a function that cancels it. */
	after(milliseconds: number, then: () => void): () => void;
}
