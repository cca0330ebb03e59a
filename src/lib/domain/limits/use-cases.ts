import { makePruneThrottle } from './prune-throttle.ts';

export const limits = { pruneThrottle: makePruneThrottle };
