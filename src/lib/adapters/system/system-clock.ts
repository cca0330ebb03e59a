import type { Clock } from '#lib/domain/index.ts';

/** The machine's time. */
export const systemClock = (): Clock => ({ now: () => new Date() });

/** Milliseconds by a clock of this process that only goes forward, however the machine's clock is set. */
export const monotonic = (): number => performance.now();
