import { roundRobin, type QueueBounds } from './round-robin.ts';
import { usualDuration, type Timing } from './usual-duration.ts';

export interface FairQueueSettings extends QueueBounds {
	/** How many jobs may run at the same time. */
	readonly width: number;
	/** The longest time a job may wait, in milliseconds. */
	readonly patience: number;
	readonly timing: Timing;
}

/**
 * A bounded queue in front of a slow resource. Its keys take turns, so a key with many jobs does not
 * delay the others. A key with slow jobs does not either: if more than one job may run, the jobs of
 * one key leave one place free.
 */
export interface FairQueue {
	/** The number of waiting jobs. */
	readonly waiting: number;
	/**
	 * Runs `work` when its key has its turn, and returns the result. `work` receives how many
	 * milliseconds it waited. Returns `busy` if `work` did not run and never will. That happens if
	 * the queue is full, the estimated wait exceeds the patience (refused at once), or the actual
	 * wait does. `patience` shortens the patience of the queue for this job.
	 */
	run<T>(key: string, work: (waited: number) => Promise<T>, patience?: number): Promise<T | 'busy'>;
	/**
	 * Runs `work` as `run` does, and keeps its place for as long as a job of `run` usually takes. Jobs
	 * after it start at the same moments as after one of `run`.
	 */
	occupy<T>(key: string, work: () => Promise<T>): Promise<T | 'busy'>;
	/** Refuses jobs that would wait longer than this and stops `occupy` early. For shutdown. */
	hurry(patience: number): void;
}

interface Waiting {
	begin(): void;
	refuse(): void;
}

export const fairQueue = (settings: FairQueueSettings): FairQueue => {
	const { width, timing } = settings;
	const widthPerKey = width > 1 ? width - 1 : width;
	let { patience } = settings;
	const waitingJobs = roundRobin<Waiting>(settings);
	/** The running jobs. */
	const underWay = new Set<{ readonly key: string; readonly began: number }>();
	const usual = usualDuration(timing);
	let cancelRefusal = (): void => undefined;

	const placesOf = (key: string): number =>
		[...underWay].filter((place) => place.key === key).length;
	const mayBegin = (key: string): boolean => underWay.size < width && placesOf(key) < widthPerKey;

	const start = async <T>(key: string, work: () => Promise<T>): Promise<T> => {
		const place = { key, began: timing.now() };
		underWay.add(place);
		try {
			return await work();
		} finally {
			underWay.delete(place);
			startWaiting();
		}
	};

	const startWaiting = (): void => {
		for (let next = waitingJobs.next(mayBegin); next !== null; next = waitingJobs.next(mayBegin))
			next.begin();
		if (waitingJobs.size === 0) cancelRefusal();
	};

	/**
	 * The expected duration of a job: the average, or the age of the running jobs if that is higher.
	 */
	const expectedDuration = (): number => {
		let age = 0;
		for (const { began } of underWay) age += timing.now() - began;
		return Math.max(usual.milliseconds, age / Math.max(1, underWay.size));
	};

	const expectedWait = (key: string): number => {
		const all = (waitingJobs.countBefore(key) + 1) / width;
		const own = (placesOf(key) + waitingJobs.lengthOf(key) + 1 - widthPerKey) / widthPerKey;
		return Math.max(all, own) * expectedDuration();
	};

	const inTurn = async <T>(
		key: string,
		work: (waited: number) => Promise<T>,
		ownPatience = patience
	): Promise<T | 'busy'> => {
		const limit = Math.min(patience, ownPatience);
		// While a key may start a job, none of its jobs waits, so this job overtakes none.
		if (mayBegin(key)) return start(key, () => work(0));
		if (expectedWait(key) > limit) return 'busy';
		return new Promise((resolve) => {
			const arrived = timing.now();
			const waiting: Waiting = {
				begin: () => {
					cancelTimer();
					resolve(start(key, () => work(timing.now() - arrived)));
				},
				refuse: () => {
					cancelTimer();
					resolve('busy');
				}
			};
			const cancelTimer = timing.after(limit, () => {
				if (waitingJobs.remove(key, waiting)) resolve('busy');
				if (waitingJobs.size === 0) cancelRefusal();
			});
			waitingJobs.add(key, waiting)?.refuse();
		});
	};

	return {
		get waiting() {
			return waitingJobs.size;
		},
		run: (key, work, limit) => inTurn(key, (waited) => usual.measure(() => work(waited)), limit),
		occupy: (key, work) => inTurn(key, () => usual.extend(work)),
		hurry: (limit) => {
			patience = Math.min(patience, limit);
			usual.stopExtending();
			// If no job waits, a timer would only keep the process running.
			if (waitingJobs.size === 0) return;
			cancelRefusal = timing.after(limit, () => {
				for (let next = waitingJobs.next(); next !== null; next = waitingJobs.next()) next.refuse();
			});
		}
	};
};
