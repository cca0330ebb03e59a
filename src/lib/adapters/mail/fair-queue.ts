import type { After } from '#lib/domain/time.ts';

/** A clock and a timer that tests can control. */
export interface Timing {
	/** Milliseconds since an arbitrary moment; never goes back. */
	now(): number;
	readonly after: After;
}

export interface FairQueueSettings {
	/** How many jobs run at the same time. */
	readonly width: number;
	/** How many jobs may wait. */
	readonly capacity: number;
	/** The longest time a job may wait, in milliseconds. */
	readonly maxWait: number;
	readonly timing: Timing;
}

/**
 * A bounded queue in front of a slow resource. Its keys take turns, so a key with many jobs does not
 * delay the others. A key with slow jobs does not either: if more than one job may run, the jobs of
 * one key leave one place free.
 */
interface FairQueue {
	readonly waiting: number;
	/**
	 * Runs `work` when its key has its turn, and returns the result. `work` receives how many
	 * milliseconds it waited. Returns `busy` if `work` did not run and never will, because it waited
	 * too long or the queue is full. A full queue refuses the newest job of the key with the most
	 * jobs, so a key with many jobs cannot keep others out.
	 */
	run<T>(key: string, work: (waited: number) => Promise<T>): Promise<T | 'busy'>;
}

interface Job {
	begin(): void;
	refuse(): void;
}

export const fairQueue = ({ width, capacity, maxWait, timing }: FairQueueSettings): FairQueue => {
	const widthPerKey = Math.max(1, width - 1);
	const running: string[] = [];
	/** The waiting jobs, in the order of turns: a key that was served moves to the end. */
	const lines = new Map<string, Job[]>();
	let waiting = 0;

	const mayBegin = (key: string): boolean =>
		running.length < width && running.filter((one) => one === key).length < widthPerKey;

	const start = async <T>(key: string, work: () => Promise<T>): Promise<T> => {
		running.push(key);
		try {
			return await work();
		} finally {
			running.splice(running.indexOf(key), 1);
			serveNext();
		}
	};

	const serveNext = (): void => {
		for (const [key, line] of lines) {
			if (!mayBegin(key)) continue;
			lines.delete(key);
			lines.set(key, line);
			line[0]?.begin();
			return;
		}
	};

	const leave = (key: string, job: Job): void => {
		const line = lines.get(key) ?? [];
		line.splice(line.indexOf(job), 1);
		if (line.length === 0) lines.delete(key);
		waiting -= 1;
	};

	return {
		get waiting() {
			return waiting;
		},
		run: async (key, work) => {
			// While a key may begin a job, none of its jobs waits, so this job overtakes none.
			if (mayBegin(key)) return start(key, () => work(0));
			return new Promise((resolve) => {
				const arrived = timing.now();
				const job: Job = {
					begin: () => {
						cancelTimer();
						leave(key, job);
						resolve(start(key, () => work(timing.now() - arrived)));
					},
					refuse: () => {
						cancelTimer();
						leave(key, job);
						resolve('busy');
					}
				};
				const cancelTimer = timing.after(maxWait, job.refuse);
				let longest = [...(lines.get(key) ?? []), job];
				lines.set(key, longest);
				waiting += 1;
				if (waiting <= capacity) return;
				for (const line of lines.values()) if (line.length > longest.length) longest = line;
				longest.at(-1)?.refuse();
			});
		}
	};
};
