import type { OidcStore } from '#lib/domain/oidc/ports.ts';
import type { Stores } from '#lib/domain/deps.ts';
import type { OpenedStorage } from '#lib/domain/stores.ts';
import type { TaskRuns } from '#lib/domain/tasks/ports.ts';
import { memoryAccounts } from './accounts.ts';
import { memoryConsents, memoryUnsubscribeLinks } from './consents.ts';
import { memoryEmailChanges, memoryEmailUndos } from './email-changes.ts';
import { memoryEvents } from './events.ts';
import { memorySpentProofs, memoryThrottle } from './limits.ts';
import { memoryOperators } from './operators.ts';
import { memoryOutboxRows } from './outbox.ts';
import { memoryPurchases } from './purchases.ts';
import { memoryDevices, memorySessions } from './sessions.ts';
import { memoryChallenges, memorySignIns } from './sign-ins.ts';
import { memoryTables, removeSome, type MemoryTables } from './tables.ts';

const memoryTaskRuns = ({ taskRuns }: MemoryTables): TaskRuns => ({
	claim: async (task, day) => {
		const key = JSON.stringify([task, day]);
		if (taskRuns.has(key)) return false;
		taskRuns.set(key, { task, day });
		removeSome(taskRuns, (run) => run.task === task && run.day < day);
		return true;
	}
});

/** The provider is tested over the databases: a fake would repeat their joins. */
const noOidcStore = {
	prune: async () => 0,
	applicationsOf: async () => []
} as Partial<OidcStore> as OidcStore;

/**
 * All stores of one process in memory. The contract suites check that they behave like the
 * databases.
 */
export const memoryStores = (tables = memoryTables()): Stores => ({
	accounts: memoryAccounts(tables),
	challenges: memoryChallenges(tables),
	consents: memoryConsents(tables),
	devices: memoryDevices(tables),
	emailChanges: memoryEmailChanges(tables),
	emailUndos: memoryEmailUndos(tables),
	events: memoryEvents(tables),
	operators: memoryOperators(tables),
	oidcStore: noOidcStore,
	outboxRows: memoryOutboxRows(tables),
	purchases: memoryPurchases(tables),
	sessions: memorySessions(tables),
	signIns: memorySignIns(tables),
	spentProofs: memorySpentProofs(tables),
	taskRuns: memoryTaskRuns(tables),
	throttle: memoryThrottle(tables),
	unsubscribeLinks: memoryUnsubscribeLinks(tables)
});

/**
 * Presents stores in memory as a database. No other process can change it, and it always
 * responds.
 */
export const memoryStorage = (stores: Stores): OpenedStorage => ({
	stores,
	clock: null,
	changes: () => ({ subscribe: () => {}, reliableSince: () => -Infinity }),
	ping: async () => {},
	close: async () => {}
});
