import type { Stores } from '../ports/stores.ts';
import type { ChangedAccount, EndedSession, Invalidates, SessionCaches } from './invalidation.ts';

type Operation<Input extends readonly unknown[] = never, Result = unknown> = (
	...input: Input
) => Promise<Result>;

/** An operation whose result names an ended session or a changed account does not compile here. */
const keeps = <Op extends Operation>(
	operation: Op & (true extends Invalidates<Awaited<ReturnType<Op>>> ? never : unknown)
): Op => operation;

interface Stale {
	readonly ended?: readonly (EndedSession | null)[] | undefined;
	readonly changed?: readonly (ChangedAccount | undefined)[] | undefined;
}

/**
 * The stores, whose operations also invalidate what this process has cached. This is the only place
 * that does so. Every operation of every store is listed: a new one does not compile until it is
 * listed, and one that ends sessions or changes accounts does not compile as `keeps`.
 *
 * The caches are invalidated after the store has committed and before the caller learns the result,
 * whether or not the caller still waits for it. If an operation fails after its commit, the change
 * feed reports the change.
 */
export const invalidatingStores = (stores: Stores, caches: SessionCaches): Stores => {
	const { accounts, challenges, consents, emailChanges, purchases } = stores;
	const { sessions, signIns, taskRuns, throttle } = stores;

	const invalidates =
		<Input extends readonly unknown[], Result>(
			operation: Operation<Input, Result>,
			staleIn: (result: Result) => Stale
		): Operation<Input, Result> =>
		async (...input) => {
			const result = await operation(...input);
			const { ended = [], changed = [] } = staleIn(result);
			caches.sessionsEnded(ended.filter((id) => id !== null));
			caches.accountsChanged(changed.filter((id) => id !== undefined));
			return result;
		};

	return {
		accounts: {
			find: keeps(accounts.find),
			confirmEmail: keeps(accounts.confirmEmail),
			update: invalidates(accounts.update, (user) => ({ changed: [user?.id] })),
			dataOf: keeps(accounts.dataOf),
			delete: invalidates(accounts.delete, (ended) => ({ ended: ended ?? [] })),
			purge: invalidates(accounts.purge, (changed) => ({ changed }))
		},
		challenges: {
			issue: keeps(challenges.issue),
			countAttempt: keeps(challenges.countAttempt),
			latestOf: keeps(challenges.latestOf),
			prune: keeps(challenges.prune)
		},
		consents: { grantMarketing: keeps(consents.grantMarketing) },
		emailChanges: {
			request: keeps(emailChanges.request),
			pendingOf: keeps(emailChanges.pendingOf),
			cancel: keeps(emailChanges.cancel),
			complete: invalidates(emailChanges.complete, (change) =>
				change === null || change === 'email_taken'
					? {}
					: { ended: change.ended, changed: [change.user.id] }
			)
		},
		purchases: {
			record: keeps(purchases.record),
			find: keeps(purchases.find),
			claim: keeps(purchases.claim),
			listOf: keeps(purchases.listOf)
		},
		sessions: {
			find: keeps(sessions.find),
			refresh: keeps(sessions.refresh),
			listOf: keeps(sessions.listOf),
			end: invalidates(sessions.end, (ended) => ({ ended: [ended] })),
			endOne: invalidates(sessions.endOne, (ended) => ({ ended: [ended] })),
			endAll: invalidates(sessions.endAll, (ended) => ({ ended })),
			prune: invalidates(sessions.prune, (ended) => ({ ended }))
		},
		signIns: {
			redeem: invalidates(signIns.redeem, (redeemed) =>
				redeemed?.kind === 'signed_in' ? { ended: [redeemed.replaced] } : {}
			)
		},
		taskRuns: { claim: keeps(taskRuns.claim) },
		throttle: {
			hit: keeps(throttle.hit),
			giveBack: keeps(throttle.giveBack),
			countFailure: keeps(throttle.countFailure),
			prune: keeps(throttle.prune)
		}
	};
};
