import type { Devices } from '../devices/ports.ts';
import type { EmailUndos } from '../email-change/ports.ts';
import type { Throttle } from '../limits/ports.ts';
import type { OidcStore } from '../oidc/ports.ts';
import type { OutboxRows } from '../outbox.ts';
import { inBatches, type Pacer } from '../pacer.ts';
import type { AuthPolicy } from '../policy.ts';
import type { SpentProofs } from '../proof/ports.ts';
import type { Sessions } from '../sessions/ports.ts';
import type { Challenges } from '../sign-in/ports.ts';
import { secondsAfter, type Clock } from '../time.ts';

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

/**
 * Removes everything that has expired, not only the rows of the throttle: its name and that of its
 * task (`auth:prune-throttle`) are fixed, because schedulers and logs of operators use them.
 * Returns how many.
 */
export type PruneThrottle = () => Promise<Pruned>;

export interface PruneThrottleDeps {
	readonly throttle: Throttle;
	readonly spentProofs: SpentProofs;
	readonly challenges: Challenges;
	readonly sessions: Sessions;
	readonly devices: Devices;
	readonly outboxRows: OutboxRows;
	readonly emailUndos: EmailUndos;
	readonly oidcStore: OidcStore;
	readonly pacer: Pacer;
	readonly clock: Clock;
	readonly policy: AuthPolicy;
}

export const makePruneThrottle =
	(deps: PruneThrottleDeps): PruneThrottle =>
	async () => {
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
