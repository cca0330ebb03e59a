/** Work that follows an answer and must not delay or fail it. */
export interface Background {
	/** Runs `work` at most once, soon, and returns without waiting. Its failure is logged under `name` and goes no further. */
	run(name: string, work: () => Promise<void>): void;
}
