import type { UseCaseDeps } from '../deps.ts';
import { inBatches } from '../pacer.ts';
import { DAY, secondsAfter } from '../time.ts';

/** What removes at most `limit` expired rows of each kind. */
const pruningsOf = (deps: UseCaseDeps) => {
	const { policy } = deps;
	const now = deps.clock.now();
	const lastUse = secondsAfter(now, -policy.devices.lifetime);
	const failedBefore = secondsAfter(now, -policy.delivery.keepFailed);
	const eventsBefore = secondsAfter(now, -deps.eventsDays * DAY);
	return {
		throttleRows: (limit: number) => deps.throttle.prune(now, policy, limit),
		codes: (limit: number) => deps.challenges.prune(now, limit),
		sessions: (limit: number) => deps.sessions.prune(now, limit),
		devices: (limit: number) => deps.devices.prune(lastUse, limit),
		counts: (limit: number) => deps.throttle.pruneCounts(now, limit),
		proofs: (limit: number) => deps.spentProofs.prune(now, limit),
		emailUndos: (limit: number) => deps.emailUndos.prune(now, limit),
		events: (limit: number) => deps.events.prune(eventsBefore, limit),
		oidcRecords: (limit: number) => deps.oidcStore.prune(now, limit),
		failedEmails: (limit: number) => deps.outboxRows.prune(failedBefore, limit)
	};
};

export type Pruned = Readonly<Record<keyof ReturnType<typeof pruningsOf>, number>>;

/**
 * Removes everything that has expired, and returns how many. Its task is `auth:prune-throttle`:
 * schedulers and logs of operators know that name.
 *
 * @throws the first fault, after the other tables were pruned
 */
export const makePruneExpired = (deps: UseCaseDeps) => async (): Promise<Pruned> => {
	const { policy, pacer } = deps;
	const pruned: Record<string, number> = {};
	const faults: unknown[] = [];
	for (const [name, removeSome] of Object.entries(pruningsOf(deps))) {
		try {
			pruned[name] = await inBatches(policy.prune.batch, pacer, removeSome);
		} catch (fault) {
			faults.push(fault);
		}
	}
	if (faults.length > 0) throw faults[0];
	return pruned as Pruned;
};
