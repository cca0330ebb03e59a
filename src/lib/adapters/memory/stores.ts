import { makeAll } from '#lib/domain/make-all.ts';
import type { Stores } from '#lib/domain/stores.ts';
import { memoryAccounts } from './account/accounts.ts';
import { memoryChallenges } from './sign-in/challenges.ts';
import { memoryDevices } from './devices/devices.ts';
import { memoryEmailChanges } from './email-change/email-changes.ts';
import { memoryEmailUndos } from './email-change/email-undos.ts';
import { memoryOutboxRows } from './delivery/outbox-rows.ts';
import { partStores } from './parts.ts';
import { memorySessions } from './sessions/sessions.ts';
import { memorySignIns } from './sign-in/sign-ins.ts';
import { memoryTables } from './tables.ts';
import { memoryTaskRuns } from './tasks/task-runs.ts';
import { memorySpentProofs } from './limits/spent-proofs.ts';
import { memoryThrottle } from './limits/throttle.ts';

/**
 * All stores of one process in memory. The contract suites check that they behave like the
 * databases.
 */
export const memoryStores = (tables = memoryTables()): Stores => ({
	accounts: memoryAccounts(tables),
	challenges: memoryChallenges(tables),
	devices: memoryDevices(tables),
	emailChanges: memoryEmailChanges(tables),
	emailUndos: memoryEmailUndos(tables),
	outboxRows: memoryOutboxRows(tables),
	sessions: memorySessions(tables),
	signIns: memorySignIns(tables),
	taskRuns: memoryTaskRuns(tables),
	spentProofs: memorySpentProofs(tables),
	throttle: memoryThrottle(tables),
	...makeAll(partStores, tables)
});
