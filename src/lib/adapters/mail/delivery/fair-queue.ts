import { fairLines, type LineBounds } from './fair-lines.ts';
import type { Timing } from './timing.ts';

export interface FairQueueSettings extends LineBounds {
	/** How many jobs may run at the same time. */
	readonly width: number;
	/** The longest time a job may wait, in milliseconds. */
	readonly patience: number;
	readonly timing: Timing;
}

/**
 * A bounded queue in front of a slow resource. Its lines take turns, so a long line does not delay
 * the others.
 */
export interface FairQueue {
	/** The number of waiting jobs. */
	readonly waiting: number;
	/**
	 * Runs `work` when its line has its turn, and returns the result. `work` receives how many
	 * milliseconds it waited. Returns `busy` if `work` did not run and never will. That happens if
	 * the queue is full, the estimated wait exceeds the patience (refused at once), or the actual
	 * wait does.
	 */
	run<T>(line: string, work: (waited: number) => Promise<T>): Promise<T | 'busy'>;
	/** From now on, refuses jobs that would wait longer than this. For shutdown. */
	hurry(patience: number): void;
}

interface Waiting {
	begin(): void;
	refuse(): void;
}

/** The weight of the newest job in the average duration. */
const NEWEST_SHARE = 0.2;

export const fairQueue = (settings: FairQueueSettings): FairQueue => {
	const { width, timing } = settings;
	let { patience } = settings;
	const lines = fairLines<Waiting>(settings);
	/** The start times of running jobs. */
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

	/**
	 * The expected duration of a job: the average, or the age of the running jobs if that is higher.
	 */
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
			// While there is room, no job waits, so this job overtakes none.
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
