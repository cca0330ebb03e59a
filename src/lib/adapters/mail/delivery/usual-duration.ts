import type { Timing } from './timing.ts';

/** Learns how long works usually take, and lets others take as long. */
export interface UsualDuration {
	/** In milliseconds; 0 before the first work has ended. */
	readonly milliseconds: number;
	/** Runs a work and learns from it. */
	measure<T>(work: () => Promise<T>): Promise<T>;
	/** Runs a work, and ends when such works usually end, or with it when that is later. */
	extend<T>(work: () => Promise<T>): Promise<T>;
	/** Extends nothing any more. */
	stopExtending(): void;
}

/** The share of the newest work in the usual duration of one. */
const NEWEST_SHARE = 0.2;

export const usualDuration = (timing: Timing): UsualDuration => {
	/** What ends each extension. */
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
