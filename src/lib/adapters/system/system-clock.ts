import type { Clock } from '#lib/domain/time.ts';

export const systemClock = (): Clock => ({ now: () => new Date() });

/**
 * Milliseconds by a clock of this process that never goes back, however the machine's clock is
 * set.
 */
export const monotonic = (): number => performance.now();
