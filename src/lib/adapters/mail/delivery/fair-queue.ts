import { fairLines, type LineBounds } from './fair-lines.ts';
import type { Timing } from './timing.ts';
import { usualDuration } from './usual-duration.ts';

export interface FairQueueSettings extends LineBounds {
	/** How many jobs may run at the same time. */
	readonly width: number;
	/** The longest time a job may wait, in milliseconds. */
	readonly patience: number;
	readonly timing: Timing;
}

/**
 * A bounded queue in front of a slow resource. Its lines take turns, so a long line does not delay
 * the others. A slow line does not either: if more than one job may run, a line leaves one place free.
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
	/**
	 * Runs `work` as `run` does, and keeps its place for as long as a job of `run` usually takes. Jobs
	 * after it start at the same moments as after one of `run`.
	 */
	hold<T>(line: string, work: () => Promise<T>): Promise<T | 'busy'>;
	/** From now on, refuses jobs that would wait longer than this, and holds no place. For shutdown. */
	hurry(patience: number): void;
}

interface Waiting {
	begin(): void;
	refuse(): void;
}

export const fairQueue = (settings: FairQueueSettings): FairQueue => {
	const { width, timing } = settings;
	const lineWidth = width > 1 ? width - 1 : width;
	let { patience } = settings;
	const lines = fairLines<Waiting>(settings);
	/** The running jobs. */
	const underWay = new Set<{ readonly line: string; readonly began: number }>();
	const usual = usualDuration(timing);
	let cancelRefusal = (): void => undefined;

	const placesOf = (line: string): number =>
		[...underWay].filter((place) => place.line === line).length;
	const mayBegin = (line: string): boolean => underWay.size < width && placesOf(line) < lineWidth;

	const start = async <T>(line: string, work: () => Promise<T>): Promise<T> => {
		const place = { line, began: timing.now() };
		underWay.add(place);
		try {
			return await work();
		} finally {
			underWay.delete(place);
			startWaiting();
		}
	};

	const startWaiting = (): void => {
		for (let next = lines.next(mayBegin); next !== null; next = lines.next(mayBegin)) next.begin();
		if (lines.size === 0) cancelRefusal();
	};

	/**
	 * The expected duration of a job: the average, or the age of the running jobs if that is higher.
	 */
	const expectedDuration = (): number => {
		let age = 0;
		for (const { began } of underWay) age += timing.now() - began;
		return Math.max(usual.milliseconds, age / Math.max(1, underWay.size));
	};

	const expectedWait = (line: string): number => {
		const all = (lines.countBefore(line) + 1) / width;
		const own = (placesOf(line) + lines.lengthOf(line) + 1 - lineWidth) / lineWidth;
		return Math.max(all, own) * expectedDuration();
	};

	const inTurn = async <T>(
		line: string,
		work: (waited: number) => Promise<T>
	): Promise<T | 'busy'> => {
		// While a line may start a job, none of its jobs waits, so this job overtakes none.
		if (mayBegin(line)) return start(line, () => work(0));
		if (expectedWait(line) > patience) return 'busy';
		return new Promise((resolve) => {
			const arrived = timing.now();
			const waiting: Waiting = {
				begin: () => {
					cancelTimer();
					resolve(start(line, () => work(timing.now() - arrived)));
				},
				refuse: () => {
					cancelTimer();
					resolve('busy');
				}
			};
			const cancelTimer = timing.after(patience, () => {
				if (lines.remove(line, waiting)) resolve('busy');
				if (lines.size === 0) cancelRefusal();
			});
			lines.add(line, waiting)?.refuse();
		});
	};

	return {
		get waiting() {
			return lines.size;
		},
		run: (line, work) => inTurn(line, (waited) => usual.measure(() => work(waited))),
		hold: (line, work) => inTurn(line, () => usual.extend(work)),
		hurry: (limit) => {
			patience = Math.min(patience, limit);
			usual.stopExtending();
			// If no job waits, a timer would only keep the process running.
			if (lines.size === 0) return;
			cancelRefusal = timing.after(limit, () => {
				for (let next = lines.next(); next !== null; next = lines.next()) next.refuse();
			});
		}
	};
};
