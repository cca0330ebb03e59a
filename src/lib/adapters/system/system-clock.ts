import type { Clock } from '#lib/domain/index.ts';

/** The machine's time. */
export const systemClock = (): Clock => ({ now: () => new Date() });
