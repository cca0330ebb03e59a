import type { Deps } from '../deps.ts';
import { inBatches } from '../pacer.ts';
import { secondsAfter } from '../time.ts';

export type Pruned = {
	readonly throttleRows: number;
	readonly codes: number;
	readonly sessions: number;
	readonly devices: number;
	readonly counts: number;
	readonly proofs: number;
	readonly failedEmails: number;
	readonly emailUndos: number;
	readonly oidcRecords: number;
};

type PruneDeps = Deps<
	| 'throttle'
	| 'spentProofs'
	| 'challenges'
	| 'sessions'
	| 'devices'
	| 'outboxRows'
	| 'emailUndos'
	| 'oidcStore'
	| 'pacer'
	| 'clock'
	| 'policy'
>;

/**
 * Removes everything that has expired, and returns how many. Its task is `auth:prune-throttle`:
 * schedulers and logs of operators know that name.
 *
 * @throws the first fault, after the other tables were pruned
 */
export const makePruneExpired = (deps: PruneDeps) => async (): Promise<Pruned> => {
	const { policy, pacer } = deps;
	const now = deps.clock.now();
	const lastUse = secondsAfter(now, -policy.devices.lifetime);
	const failedBefore = secondsAfter(now, -policy.delivery.keepFailed);
	const prunings: Record<keyof Pruned, (limit: number) => Promise<number>> = {
		throttleRows: (limit) => deps.throttle.prune(now, policy, limit),
		codes: (limit) => deps.challenges.prune(now, limit),
		sessions: (limit) => deps.sessions.prune(now, limit),
		devices: (limit) => deps.devices.prune(lastUse, limit),
		counts: (limit) => deps.throttle.pruneCounts(now, limit),
		proofs: (limit) => deps.spentProofs.prune(now, limit),
		emailUndos: (limit) => deps.emailUndos.prune(now, limit),
		oidcRecords: (limit) => deps.oidcStore.prune(now, limit),
		failedEmails: (limit) => deps.outboxRows.prune(failedBefore, limit)
	};
	const pruned: Record<string, number> = {};
	const faults: unknown[] = [];
	for (const [name, removeSome] of Object.entries(prunings)) {
		try {
			pruned[name] = await inBatches(policy.prune.batch, pacer, removeSome);
		} catch (fault) {
			faults.push(fault);
		}
	}
	if (faults.length > 0) throw faults[0];
	return pruned as Pruned;
};
