import type { ChangeResult } from './email-change/ports.ts';
import type { SessionId } from './ids.ts';
import type { Revoked } from './sessions/ports.ts';
import { wrapMethods, type Stores } from './stores.ts';

type StaleAfter<Method> = Method extends (...input: infer Input) => Promise<infer Result>
	? 'nothing' | ((result: Result, ...input: Input) => readonly Revoked[])
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

const emailChanged = (change: ChangeResult): readonly Revoked[] =>
	change === null || change === 'email_taken' ? [] : [...change.ended, change.user.id];

const listed = (ended: SessionId | null): readonly Revoked[] => (ended === null ? [] : [ended]);

/**
 * The sessions that each method of these stores ends, and the accounts that it changes. The other
 * stores leave sessions and accounts alone.
 */
const staleAfter: { readonly [Name in EndingStore]: StaleTable<Stores[Name]> } = {
	accounts: {
		find: 'nothing',
		consumeChallenge: 'nothing',
		update: (user) => (user === null ? [] : [user.id]),
		delete: (ended) => ended ?? [],
		purge: (purged) => purged
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
		act: (ended, { userId }) => (typeof ended === 'string' ? [] : [...ended, userId])
	},
	sessions: {
		find: 'nothing',
		refresh: 'nothing',
		listOf: 'nothing',
		end: listed,
		endOne: listed,
		onDevice: 'nothing',
		endOnDevice: (ended) => ended,
		endSessionsExcept: (ended) => ended,
		// Caches never use expired sessions.
		prune: 'nothing'
	},
	signIns: {
		redeem: (redeemed) => (redeemed?.kind === 'signed_in' ? redeemed.ended : [])
	}
};

/** The type of the table ties each function to its method. Here all have one type. */
type AnyStaleTable = Readonly<
	Record<string, 'nothing' | ((...known: unknown[]) => readonly Revoked[])>
>;
const tables = staleAfter as unknown as Readonly<Record<string, AnyStaleTable | undefined>>;

/**
 * The stores, whose methods also invalidate what this process has cached.
 *
 * The caches are invalidated after the store has committed and before the caller learns the result,
 * whether or not the caller still waits for it. If a method fails after its commit, the change
 * feed reports the change.
 */
export const invalidatingStores = (
	stores: Stores,
	revoke: (ids: readonly Revoked[]) => void
): Stores =>
	wrapMethods(stores, (run, store, name) => {
		const staleIn = tables[store]?.[name] ?? 'nothing';
		if (staleIn === 'nothing') return run;
		return async (...input) => {
			const result = await run(...input);
			revoke(staleIn(result, ...input));
			return result;
		};
	});
