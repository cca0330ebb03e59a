import type { Stores } from '../stores.ts';
import { withBoundMethods } from '../bound-methods.ts';
import type { ChangedAccount, EndedSession, Invalidates, SessionCaches } from './invalidation.ts';

type Operation<Input extends readonly unknown[] = never, Result = unknown> = (
	...input: Input
) => Promise<Result>;

declare const invalidates: unique symbol;
/** An operation that invalidates the caches. */
type Invalidating<Op> = Op & { readonly [invalidates]: true };

/** An operation whose result names an ended session or a changed account has to invalidate. */
type Checked<Op> =
	Op extends Operation<never, infer Result>
		? true extends Invalidates<Result>
			? Invalidating<Op>
			: Op
		: never;
type CheckedStores = {
	readonly [Store in keyof Stores]: {
		readonly [Name in keyof Stores[Store]]: Checked<Stores[Store][Name]>;
	};
};

interface Stale {
	readonly ended?: readonly (EndedSession | null)[] | undefined;
	readonly changed?: readonly (ChangedAccount | undefined)[] | undefined;
}

/**
 * The stores, whose operations also invalidate what this process has cached. This is the only place
 * that does so. An operation that ends sessions or changes accounts does not compile until it is
 * listed here. All others pass through.
 *
 * The caches are invalidated after the store has committed and before the caller learns the result,
 * whether or not the caller still waits for it. If an operation fails after its commit, the change
 * feed reports the change.
 */
export const invalidatingStores = (stores: Stores, caches: SessionCaches): Stores => {
	const accounts = withBoundMethods(stores.accounts);
	const emailChanges = withBoundMethods(stores.emailChanges);
	const emailUndos = withBoundMethods(stores.emailUndos);
	const sessions = withBoundMethods(stores.sessions);
	const signIns = withBoundMethods(stores.signIns);

	const invalidate = <Input extends readonly unknown[], Result>(
		operation: Operation<Input, Result>,
		staleIn: (result: Result) => Stale
	): Invalidating<Operation<Input, Result>> => {
		const invalidating: Operation<Input, Result> = async (...input) => {
			const result = await operation(...input);
			const { ended = [], changed = [] } = staleIn(result);
			caches.sessionsEnded(ended.filter((id) => id !== null));
			caches.accountsChanged(changed.filter((id) => id !== undefined));
			return result;
		};
		return invalidating as Invalidating<Operation<Input, Result>>;
	};

	return {
		...stores,
		accounts: {
			...accounts,
			update: invalidate(accounts.update, (user) => ({ changed: [user?.id] })),
			answerName: invalidate(accounts.answerName, (user) => ({ changed: [user?.id] })),
			delete: invalidate(accounts.delete, (ended) => ({ ended: ended ?? [] })),
			purge: invalidate(accounts.purge, (changed) => ({ changed }))
		},
		emailChanges: {
			...emailChanges,
			complete: invalidate(emailChanges.complete, (change) =>
				change === null || change === 'email_taken'
					? {}
					: { ended: change.ended, changed: [change.user.id] }
			)
		},
		emailUndos: {
			...emailUndos,
			undo: invalidate(emailUndos.undo, (undone) =>
				undone === null ? {} : { ended: undone.ended, changed: [undone.user.id] }
			)
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
	} satisfies CheckedStores;
};
