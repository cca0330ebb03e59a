import type { Challenges } from '#lib/domain/ports/challenges.ts';
import type { Sessions } from '#lib/domain/ports/sessions.ts';
import type { SignIns } from '#lib/domain/ports/sign-ins.ts';
import type { Throttle } from '#lib/domain/ports/throttle.ts';
import { memoryChallenges } from './challenges.ts';
import { memorySessions } from './sessions.ts';
import { memorySignIns } from './sign-ins.ts';
import { memoryTables } from './tables.ts';
import { memoryThrottle } from './throttle.ts';

export interface Stores {
	readonly challenges: Challenges;
	readonly signIns: SignIns;
	readonly sessions: Sessions;
	readonly throttle: Throttle;
}

/** All storage of one process in memory. The contract suites hold it to what the databases do. */
export const memoryStores = (tables = memoryTables()): Stores => ({
	challenges: memoryChallenges(tables),
	signIns: memorySignIns(tables),
	sessions: memorySessions(tables),
	throttle: memoryThrottle(tables)
});
