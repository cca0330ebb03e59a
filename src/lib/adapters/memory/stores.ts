import type { Stores } from '#lib/domain/ports/stores.ts';
import { memoryAccounts } from './accounts.ts';
import { memoryChallenges } from './challenges.ts';
import { memoryConsents } from './consents.ts';
import { memoryEmailChanges } from './email-changes.ts';
import { memoryPurchases } from './purchases.ts';
import { memorySessions } from './sessions.ts';
import { memorySignIns } from './sign-ins.ts';
import { memoryTables } from './tables.ts';
import { memoryTaskRuns } from './task-runs.ts';
import { memoryThrottle } from './throttle.ts';

/**
 * All stores of one process in memory. The contract suites check that they behave like the
 * databases.
 */
export const memoryStores = (tables = memoryTables()): Stores => ({
	accounts: memoryAccounts(tables),
	challenges: memoryChallenges(tables),
	consents: memoryConsents(tables),
	emailChanges: memoryEmailChanges(tables),
	purchases: memoryPurchases(tables),
	sessions: memorySessions(tables),
	signIns: memorySignIns(tables),
	taskRuns: memoryTaskRuns(tables),
	throttle: memoryThrottle(tables)
});
