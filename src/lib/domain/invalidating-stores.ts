import type { EmailChanged } from './email-change/ports.ts';
import type { SessionId, UserId } from './ids.ts';
import type { SessionCaches } from './sessions/ports.ts';
import type { Stores } from './stores.ts';

interface Stale {
	readonly ended?: readonly (SessionId | null)[];
	readonly changed?: readonly (UserId | undefined)[];
}

const moved = (change: EmailChanged | 'email_taken' | null): Stale =>
	change === null || change === 'email_taken'
		? {}
		: { ended: change.ended, changed: [change.user.id] };

/**
 * The stores, whose operations also invalidate what this process has cached. This is the only place
 * that does so: an operation that ends sessions or changes accounts must be listed here.
 * `Sessions.prune` is not, because caches never use expired sessions.
 *
 * The caches are invalidated after the store has committed and before the caller learns the result,
 * whether or not the caller still waits for it. If an operation fails after its commit, the change
 * feed reports the change.
 */
export const invalidatingStores = (stores: Stores, caches: SessionCaches): Stores => {
	const { accounts, emailChanges, emailUndos, operators, sessions, signIns } = stores;

	const invalidate =
		<Input extends readonly unknown[], Result>(
			operation: (...input: Input) => Promise<Result>,
			staleIn: (result: Result) => Stale
		): ((...input: Input) => Promise<Result>) =>
		async (...input) => {
			const result = await operation(...input);
			const { ended = [], changed = [] } = staleIn(result);
			caches.sessionsEnded(ended.filter((id) => id !== null));
			caches.accountsChanged(changed.filter((id) => id !== undefined));
			return result;
		};

	return {
		...stores,
		accounts: {
			...accounts,
			update: invalidate(accounts.update, (user) => ({ changed: [user?.id] })),
			delete: invalidate(accounts.delete, (ended) => ({ ended: ended ?? [] })),
			purge: invalidate(accounts.purge, (changed) => ({ changed }))
		},
		emailChanges: {
			...emailChanges,
			complete: invalidate(emailChanges.complete, moved)
		},
		emailUndos: {
			...emailUndos,
			undo: invalidate(emailUndos.undo, moved)
		},
		operators: {
			...operators,
			act: invalidate(operators.act, (ended) => (typeof ended === 'string' ? {} : { ended })),
			changeEmail: invalidate(operators.changeEmail, moved)
		},
		sessions: {
			...sessions,
			end: invalidate(sessions.end, (ended) => ({ ended: [ended] })),
			endOne: invalidate(sessions.endOne, (ended) => ({ ended: [ended] })),
			endOnDevice: invalidate(sessions.endOnDevice, (ended) => ({ ended })),
			endAll: invalidate(sessions.endAll, (ended) => ({ ended }))
		},
		signIns: {
			...signIns,
			redeem: invalidate(signIns.redeem, (redeemed) =>
				redeemed?.kind === 'signed_in' ? { ended: redeemed.ended } : {}
			)
		}
	};
};
