/** Measures how long jobs usually take, and lets other jobs take as long. */
export interface UsualDuration {
	/** In milliseconds. 0 until the first job has ended. */
	readonly milliseconds: number;
	/** Runs a job and measures it. */
	measure<T>(work: () => Promise<T>): Promise<T>;
	/** Runs a job that takes at least the usual duration. */
	extend<T>(work: () => Promise<T>): Promise<T>;
	/** Ends running extensions and starts no new ones. */
	stopExtending(): void;
}

/** The weight of the newest job in the average duration. */
const NEWEST_SHARE = 0.2;

export const usualDuration = (timing: Timing): UsualDuration => {
	/** Functions that end the running extensions. */
	const extensions = new Set<() => void>();
	let usual: number | null = null;
	let isExtending = true;

	const usualTime = (): Promise<void> =>
		new Promise((resolve) => {
			const end = (): void => {
				cancelTimer();
				extensions.delete(end);
				resolve();
			};
			extensions.add(end);
			const cancelTimer = timing.after(usual ?? 0, end);
		});

	return {
		get milliseconds() {
			return usual ?? 0;
		},
		measure: async (work) => {
			const began = timing.now();
			try {
				return await work();
			} finally {
				const took = timing.now() - began;
				usual = usual === null ? took : usual + NEWEST_SHARE * (took - usual);
			}
		},
		extend: async (work) => {
			const over = isExtending ? usualTime() : null;
			try {
				return await work();
			} finally {
				await over;
			}
		},
		stopExtending: () => {
			isExtending = false;
			for (const end of extensions) end();
		}
	};
};

/** A clock and a timer that tests can control. */
export interface Timing {
	/** Milliseconds since an arbitrary moment; never goes back. */
	now(): number;
	/** Calls `then` once after this many milliseconds. Returns a function that cancels it. */
	after(milliseconds: number, then: () => void): () => void;
}
