import type { Clock } from '../clock.ts';
import type { AuthPolicy } from '../policy.ts';
import { secondsAfter } from '../time.ts';
import type { LeasedEmail, OutboxLane, OutboxRows } from './outbox-rows.ts';

/** Leases at most `limit` emails of a lane that are due. */
export type LeaseDue = (lane: OutboxLane, limit: number) => Promise<readonly LeasedEmail[]>;

export interface LeaseDueDeps {
	readonly outboxRows: OutboxRows;
	readonly clock: Clock;
	readonly policy: AuthPolicy;
}

export const makeLeaseDue =
	({ outboxRows, clock, policy }: LeaseDueDeps): LeaseDue =>
	(lane, limit) => {
		const now = clock.now();
		return outboxRows.lease(lane, now, secondsAfter(now, policy.delivery.lease), limit);
	};
