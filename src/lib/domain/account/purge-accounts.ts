import type { AuthPolicy } from '../policy.ts';
import type { Accounts } from './accounts.ts';
import type { Background } from '../background.ts';
import type { Clock } from '../clock.ts';
import { secondsAfter } from '../time.ts';
import { inBatches } from '../in-batches.ts';

/**
 * Removes accounts whose grace period has ended, with everything that belongs to them. Returns
 * how many.
 */
export type PurgeAccounts = () => Promise<number>;

export interface PurgeAccountsDeps {
	readonly accounts: Accounts;
	readonly background: Background;
	readonly clock: Clock;
	readonly policy: AuthPolicy;
}

export const makePurgeAccounts =
	({ accounts, background, clock, policy }: PurgeAccountsDeps): PurgeAccounts =>
	() => {
		// An account that an old address can have back must not be removed.
		const { deletion, emailChange } = policy;
		const kept = Math.max(deletion.grace, emailChange.undoFor);
		const deletedBefore = secondsAfter(clock.now(), -kept);
		return inBatches(
			policy.prune.accounts,
			background,
			async (limit) => (await accounts.purge(deletedBefore, limit)).length
		);
	};
