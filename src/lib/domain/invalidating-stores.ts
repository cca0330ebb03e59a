import type { ChangeResult } from './email-change/ports.ts';
import type { SessionId, UserId } from './ids.ts';
import type { SessionCaches } from './sessions/ports.ts';
import { wrapMethods, type Stores } from './stores.ts';

/** The sessions that a method ended, and the accounts that it changed. */
interface Stale {
	readonly ended?: readonly (SessionId | null)[];
	readonly changed?: readonly (UserId | undefined)[];
}

type StaleAfter<Method> = Method extends (...input: infer Input) => Promise<infer Result>
	? 'nothing' | ((result: Result, ...input: Input) => Stale)
	: never;

type StaleTable<Store> = { readonly [Name in keyof Store]: StaleAfter<Store[Name]> };

/** What methods return that end sessions. */
type Ended = SessionId | readonly SessionId[] | { readonly ended: unknown };

type EndedBy<Method> = Method extends (...input: never) => Promise<infer Result>
	? Extract<Result, Ended>
	: never;

/** The stores with a method that ends sessions. */
type EndingStore = {
	[Name in keyof Stores]: [EndedBy<Stores[Name][keyof Stores[Name]]>] extends [never]
		? never
		: Name;
}[keyof Stores];

const emailChanged = (change: ChangeResult): Stale =>
	change === null || change === 'email_taken'
		? {}
		: { ended: change.ended, changed: [change.user.id] };

/** What each method of these stores makes stale. The others leave sessions and accounts alone. */
const staleAfter: { readonly [Name in EndingStore]: StaleTable<Stores[Name]> } = {
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
		complete: emailChanged
	},
	emailUndos: {
		find: 'nothing',
		listOf: 'nothing',
		isReserved: 'nothing',
		undo: emailChanged,
		prune: 'nothing'
	},
	operators: {
		isOperator: 'nothing',
		list: 'nothing',
		find: 'nothing',
		sendsOf: 'nothing',
		act: (ended, { userId }) => (typeof ended === 'string' ? {} : { ended, changed: [userId] }),
		changeEmail: emailChanged
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
	}
};

/** The type of the table ties each function to its method. Here all have one type. */
type AnyStaleTable = Readonly<Record<string, 'nothing' | ((...known: unknown[]) => Stale)>>;
const tables = staleAfter as unknown as Readonly<Record<string, AnyStaleTable | undefined>>;

/**
 * The stores, whose methods also invalidate what this process has cached.
 *
 * The caches are invalidated after the store has committed and before the caller learns the result,
 * whether or not the caller still waits for it. If a method fails after its commit, the change
 * feed reports the change.
 */
export const invalidatingStores = (stores: Stores, caches: SessionCaches): Stores =>
	wrapMethods(stores, (run, store, name) => {
		const staleIn = tables[store]?.[name] ?? 'nothing';
		if (staleIn === 'nothing') return run;
		return async (...input) => {
			const result = await run(...input);
			const { ended = [], changed = [] } = staleIn(result, ...input);
			caches.sessionsEnded(ended.filter((id) => id !== null));
			caches.accountsChanged(changed.filter((id) => id !== undefined));
			return result;
		};
	});
