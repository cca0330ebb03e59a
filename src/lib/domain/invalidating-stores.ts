import type { ChangeResult } from './email-change/ports.ts';
import type { SessionId, UserId } from './ids.ts';
import type { SessionCaches } from './sessions/ports.ts';
import type { Stores } from './stores.ts';

/** The sessions that an operation ended, and the accounts that it changed. */
interface Stale {
	readonly ended?: readonly (SessionId | null)[];
	readonly changed?: readonly (UserId | undefined)[];
}

type StaleAfter<Operation> = Operation extends (...input: infer Input) => Promise<infer Result>
	? 'nothing' | ((result: Result, ...input: Input) => Stale)
	: never;

type StaleTable<Store> = { readonly [Name in keyof Store]: StaleAfter<Store[Name]> };

/** What operations return that end sessions. A store with such an operation needs a table. */
type Ended = SessionId | readonly SessionId[] | { readonly ended: unknown };

type EndedBy<Operation> = Operation extends (...input: never) => Promise<infer Result>
	? Extract<Result, Ended>
	: never;

type StaleIn<Store> =
	StaleTable<Store> | ([EndedBy<Store[keyof Store]>] extends [never] ? 'nothing' : never);

const moved = (change: ChangeResult): Stale =>
	change === null || change === 'email_taken'
		? {}
		: { ended: change.ended, changed: [change.user.id] };

/** What each operation makes stale, in the stores that can end sessions or change accounts. */
const staleAfter: { readonly [Name in keyof Stores]: StaleIn<Stores[Name]> } = {
	accounts: {
		find: 'nothing',
		consumeChallenge: 'nothing',
		update: (user) => ({ changed: [user?.id] }),
		delete: (ended) => ({ ended: ended ?? [] }),
		purge: (changed) => ({ changed })
	},
	emailChanges: {
		request: 'nothing',
		pendingOf: 'nothing',
		cancel: 'nothing',
		complete: moved
	},
	emailUndos: {
		find: 'nothing',
		listOf: 'nothing',
		isReserved: 'nothing',
		undo: moved,
		prune: 'nothing'
	},
	operators: {
		isOperator: 'nothing',
		list: 'nothing',
		find: 'nothing',
		sendsOf: 'nothing',
		act: (ended, { userId }) => (typeof ended === 'string' ? {} : { ended, changed: [userId] }),
		changeEmail: moved
	},
	sessions: {
		find: 'nothing',
		refresh: 'nothing',
		listOf: 'nothing',
		end: (ended) => ({ ended: [ended] }),
		endOne: (ended) => ({ ended: [ended] }),
		onDevice: 'nothing',
		endOnDevice: (ended) => ({ ended }),
		endSessionsExcept: (ended) => ({ ended }),
		// Caches never use expired sessions.
		prune: 'nothing'
	},
	signIns: {
		redeem: (redeemed) => (redeemed?.kind === 'signed_in' ? { ended: redeemed.ended } : {})
	},
	challenges: 'nothing',
	consents: 'nothing',
	devices: 'nothing',
	events: 'nothing',
	oidcStore: 'nothing',
	outboxRows: 'nothing',
	purchases: 'nothing',
	spentProofs: 'nothing',
	taskRuns: 'nothing',
	throttle: 'nothing',
	unsubscribeLinks: 'nothing'
};

type Operation = (...input: unknown[]) => Promise<unknown>;
/** The type of the table ties each function to its operation. Here all have one type. */
type AnyStaleTable = Readonly<Record<string, 'nothing' | ((...known: unknown[]) => Stale)>>;

/**
 * The stores, whose operations also invalidate what this process has cached.
 *
 * The caches are invalidated after the store has committed and before the caller learns the result,
 * whether or not the caller still waits for it. If an operation fails after its commit, the change
 * feed reports the change.
 */
export const invalidatingStores = (stores: Stores, caches: SessionCaches): Stores => {
	const invalidating =
		(operation: Operation, staleIn: (...known: unknown[]) => Stale): Operation =>
		async (...input) => {
			const result = await operation(...input);
			const { ended = [], changed = [] } = staleIn(result, ...input);
			caches.sessionsEnded(ended.filter((id) => id !== null));
			caches.accountsChanged(changed.filter((id) => id !== undefined));
			return result;
		};
	const all: Record<string, object> = { ...stores };
	for (const [name, table] of Object.entries(staleAfter)) {
		if (table === 'nothing') continue;
		const store = all[name] as object;
		all[name] = Object.fromEntries(
			Object.entries(table as AnyStaleTable).map(([operation, staleIn]) => {
				// A store can be an instance of a class, whose methods need their own `this`.
				const run = (Reflect.get(store, operation) as Operation).bind(store);
				return [operation, staleIn === 'nothing' ? run : invalidating(run, staleIn)];
			})
		);
	}
	return all as unknown as Stores;
};
