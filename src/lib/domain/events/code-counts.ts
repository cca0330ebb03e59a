import { hourOf, type After, type Clock } from '../time.ts';
import type { CodeCount, CodeCounts, Events } from './ports.ts';

/**
 * How many counts wait to be stored. Above this, those of further email addresses are dropped. Those
 * without an account wait too, so a flood of them can displace the counts of real accounts.
 */
const MAX_PENDING = 10_000;
/** How many counts one transaction stores, so that it does not block the database for long. */
const BATCH = 25;
const PAUSE_MS = 1000;

interface CodeCountsDeps {
	readonly events: Pick<Events, 'addCodeCounts'>;
	readonly clock: Clock;
	readonly after: After;
	readonly onFault: (fault: unknown) => void;
}

interface CodeCountsCollector extends CodeCounts {
	/** Stores what was counted. What cannot be stored is kept for the next time. */
	flush(): Promise<void>;
	/** Stores for the last time, also what a running flush could not. */
	stop(): Promise<void>;
}

/** Collects counts in memory, and stores them each second while there are any. */
export const makeCodeCounts = ({
	events,
	clock,
	after,
	onFault
}: CodeCountsDeps): CodeCountsCollector => {
	const pending = new Map<string, CodeCount>();
	let cancel: (() => void) | null = null;
	let isStopped = false;
	let stored = Promise.resolve();
	const add = (one: CodeCount): void => {
		const key = `${one.kind} ${one.hour.getTime()} ${one.email}`;
		const earlier = pending.get(key)?.count ?? 0;
		if (earlier === 0 && pending.size >= MAX_PENDING) return;
		pending.set(key, { ...one, count: one.count + earlier });
		if (!isStopped) cancel ??= after(PAUSE_MS, () => void flush());
	};
	const flush = (): Promise<void> => (stored = stored.then(store));
	const store = async (): Promise<void> => {
		cancel?.();
		cancel = null;
		const counts = [...pending.values()];
		pending.clear();
		for (let start = 0; start < counts.length; start += BATCH) {
			try {
				await events.addCodeCounts(counts.slice(start, start + BATCH));
			} catch (fault) {
				onFault(fault);
				return counts.slice(start).forEach(add);
			}
		}
	};
	return {
		count: (kind, email) => add({ kind, email, hour: hourOf(clock.now()), count: 1 }),
		flush,
		stop: () => {
			isStopped = true;
			return flush();
		}
	};
};
