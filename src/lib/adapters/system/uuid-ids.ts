import { v7 } from 'uuid';
import type { Ids } from '#lib/domain/ids.ts';

/**
 * UUIDs of version 7. The package increments a counter within a millisecond and keeps its last
 * time when the clock is set back. So the ids of one process are strictly ascending.
 */
export const uuidIds = (): Ids => ({ next: () => v7() });
