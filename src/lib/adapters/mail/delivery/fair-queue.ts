import { fairLines, type LineBounds } from './fair-lines.ts';
import type { Timing } from './timing.ts';

export interface FairQueueSettings extends LineBounds {
	/** Works that are under way at once. */
	readonly width: number;
	/** The longest wait, in milliseconds. */
	readonly patience: number;
	readonly timing: Timing;
}

/** A bounded queue before something slow. Lines are served in turn, so a long one delays no other. */
export interface FairQueue {
	/** How many works wait. */
	readonly waiting: number;
	/**
	 * Runs `work` when it is the turn of its line, and gives what that gives. `work` is told how many
	 * milliseconds it waited. `busy` means that `work` was not run and never will be: the queue was
	 * full, the estimated wait was longer than the patience (then at once), or the real one was.
	 */
	run<T>(line: string, work: (waited: number) => Promise<T>): Promise<T | 'busy'>;
	/** Refuses from now on what would have to wait longer than this. For shutdown. */
	hurry(patience: number): void;
}

interface Waiting {
	begin(): void;
	refuse(): void;
}

/** The share of the newest work in the usual duration of one. */
const NEWEST_SHARE = 0.2;

export const fairQueue = (settings: FairQueueSettings): FairQueue => {
	const { width, timing } = settings;
	let { patience } = settings;
	const lines = fairLines<Waiting>(settings);
	/** When each work that is under way began. */
	const underWay = new Set<{ readonly began: number }>();
	let usual: number | null = null;

	const start = async <T>(work: (waited: number) => Promise<T>, waited: number): Promise<T> => {
		const entry = { began: timing.now() };
		underWay.add(entry);
		try {
			return await work(waited);
		} finally {
			underWay.delete(entry);
			const took = timing.now() - entry.began;
			usual = usual === null ? took : usual + NEWEST_SHARE * (took - usual);
			startWaiting();
		}
	};

	const startWaiting = (): void => {
		while (underWay.size < width) {
			const next = lines.next();
			if (next === null) return;
			next.begin();
		}
	};

	/** What a work takes: as long as usual, or as long as those take that are not done yet. */
	const expectedDuration = (): number => {
		let age = 0;
		for (const { began } of underWay) age += timing.now() - began;
		return Math.max(usual ?? 0, age / width);
	};

	return {
		get waiting() {
			return lines.size;
		},
		run: async (line, work) => {
			// While there is room nothing waits, so nothing is overtaken.
			if (underWay.size < width) return start(work, 0);
			const wait = ((lines.countBefore(line) + 1) * expectedDuration()) / width;
			if (wait > patience) return 'busy';
			return new Promise((resolve) => {
				const arrived = timing.now();
				const waiting: Waiting = {
					begin: () => {
						cancelTimer();
						resolve(start(work, timing.now() - arrived));
					},
					refuse: () => {
						cancelTimer();
						resolve('busy');
					}
				};
				const cancelTimer = timing.after(patience, () => {
					if (lines.remove(line, waiting)) resolve('busy');
				});
				lines.add(line, waiting)?.refuse();
			});
		},
		hurry: (limit) => {
			patience = Math.min(patience, limit);
			timing.after(limit, () => {
				for (let next = lines.next(); next !== null; next = lines.next()) next.refuse();
			});
		}
	};
};
