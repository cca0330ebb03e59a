import { fairLines, type LineBounds } from './fair-lines.ts';
import type { Timing } from './timing.ts';
import { usualDuration } from './usual-duration.ts';

export interface FairQueueSettings extends LineBounds {
	/** Works that are under way at once. */
	readonly width: number;
	/** The longest wait, in milliseconds. */
	readonly patience: number;
	readonly timing: Timing;
}

/**
 * A bounded queue before something slow. Lines are served in turn, so a long one delays no other. Nor
 * does a slow one: a line holds all places but one at most, where there is more than one.
 */
export interface FairQueue {
	/** How many works wait. */
	readonly waiting: number;
	/**
	 * Runs `work` when it is the turn of its line, and gives what that gives. `work` is told how many
	 * milliseconds it waited. `busy` means that `work` was not run and never will be: the queue was
	 * full, the estimated wait was longer than the patience (then at once), or the real one was.
	 */
	run<T>(line: string, work: (waited: number) => Promise<T>): Promise<T | 'busy'>;
	/**
	 * Runs `work` as `run` does, and keeps its place for as long as the works of `run` usually take. So
	 * the works behind it begin at the same moments as behind one of `run`.
	 */
	hold<T>(line: string, work: () => Promise<T>): Promise<T | 'busy'>;
	/** Refuses from now on what would have to wait longer than this, and holds no place. For shutdown. */
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
	/** Each work that is under way, with its beginning. */
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

	/** What a work takes: as long as usual, or as long as those take that are not done yet. */
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
		// While a line may begin, nothing of it waits, so nothing is overtaken.
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
			// A timer that nothing waits for would only keep the process from ending.
			if (lines.size === 0) return;
			cancelRefusal = timing.after(limit, () => {
				for (let next = lines.next(); next !== null; next = lines.next()) next.refuse();
			});
		}
	};
};
