import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';
import type { Ids } from '#lib/domain/ids.ts';
import type { Random } from '#lib/domain/ports.ts';
import type { Clock } from '#lib/domain/time.ts';

export const systemClock = (): Clock => ({ now: () => new Date() });

/** Milliseconds. Setting the clock of the machine does not change it. */
export const monotonic = (): number => performance.now();

export const systemTiming = {
	now: monotonic,
	after: (milliseconds: number, then: () => void): (() => void) => {
		const timer = setTimeout(then, milliseconds);
		return () => clearTimeout(timer);
	}
};

export const systemRandom = (): Random => ({ bytes: (count) => randomBytes(count) });

/**
 * UUIDs of version 7. The package increments a counter within a millisecond and keeps its last
 * time when the clock is set back. So the ids of one process are strictly ascending.
 */
export const uuidIds = (): Ids => ({ next: () => v7() });
