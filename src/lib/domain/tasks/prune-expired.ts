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
 */
export const makePruneExpired = (deps: PruneDeps) => async (): Promise<Pruned> => {
	const { policy, pacer } = deps;
	const now = deps.clock.now();
	const all = (removeSome: (limit: number) => Promise<number>): Promise<number> =>
		inBatches(policy.prune.batch, pacer, removeSome);
	const lastUse = secondsAfter(now, -policy.devices.lifetime);
	const failedBefore = secondsAfter(now, -policy.delivery.keepFailed);
	return {
		throttleRows: await all((limit) => deps.throttle.prune(now, policy, limit)),
		codes: await all((limit) => deps.challenges.prune(now, limit)),
		sessions: await all((limit) => deps.sessions.prune(now, limit)),
		devices: await all((limit) => deps.devices.prune(lastUse, limit)),
		counts: await all((limit) => deps.throttle.pruneCounts(now, limit)),
		proofs: await all((limit) => deps.spentProofs.prune(now, limit)),
		emailUndos: await all((limit) => deps.emailUndos.prune(now, limit)),
		oidcRecords: await all((limit) => deps.oidcStore.prune(now, limit)),
		failedEmails: await all((limit) => deps.outboxRows.prune(failedBefore, limit))
	};
};
