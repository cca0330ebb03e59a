import type { Deps } from '../deps.ts';
import { inBatches } from '../pacer.ts';
import { secondsAfter } from '../time.ts';

export interface Pruned {
	readonly throttleRows: number;
	readonly codes: number;
	readonly sessions: number;
	readonly devices: number;
	readonly counts: number;
	readonly proofs: number;
	readonly failedEmails: number;
	readonly emailUndos: number;
	readonly oidcRecords: number;
}

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
	const { throttle, wrongCodes, devices, delivery, prune } = deps.policy;
	const now = deps.clock.now();
	const pruneAll = (removeSome: (limit: number) => Promise<number>): Promise<number> =>
		inBatches(prune.batch, deps.pacer, removeSome);
	return {
		throttleRows: await pruneAll((limit) =>
			deps.throttle.prune(now, throttle.window, wrongCodes.memory, limit)
		),
		codes: await pruneAll((limit) => deps.challenges.prune(now, limit)),
		sessions: await pruneAll((limit) => deps.sessions.prune(now, limit)),
		devices: await pruneAll((limit) =>
			deps.devices.prune(secondsAfter(now, -devices.lifetime), limit)
		),
		counts: await pruneAll((limit) => deps.throttle.pruneCounts(now, limit)),
		proofs: await pruneAll((limit) => deps.spentProofs.prune(now, limit)),
		emailUndos: await pruneAll((limit) => deps.emailUndos.prune(now, limit)),
		oidcRecords: await pruneAll((limit) => deps.oidcStore.prune(now, limit)),
		failedEmails: await pruneAll((limit) =>
			deps.outboxRows.prune(secondsAfter(now, -delivery.keepFailed), limit)
		)
	};
};
