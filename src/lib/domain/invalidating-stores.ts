import type { ChangeResult } from './email-change/ports.ts';
import type { SessionId } from './ids.ts';
import type { Revoked } from './sessions/ports.ts';
import type { Stores } from './deps.ts';
import { wrapMethods } from './stores.ts';

type StaleAfter<Method> = Method extends (...input: infer Input) => Promise<infer Result>
	? (result: Result, ...input: Input) => readonly Revoked[]
	: never;

/** What methods return that end sessions. */
type Ended = SessionId | readonly SessionId[] | { readonly ended: unknown };

type EndedBy<Method> = Method extends (...input: never) => Promise<infer Result>
	? Extract<Result, Ended>
	: never;

/** The names in a store whose methods end sessions. */
type Ending<Store> = {
	[Name in keyof Store]: [EndedBy<Store[Name]>] extends [never] ? never : Name;
}[keyof Store];

/** A method that ends sessions must have an entry, any other one may. */
type StaleTable<Store> = { readonly [Name in Ending<Store>]: StaleAfter<Store[Name]> } & {
	readonly [Name in keyof Store]?: StaleAfter<Store[Name]>;
};

type StaleTables = {
	readonly [
		Name in keyof Stores as [Ending<Stores[Name]>] extends [never] ? never : Name
	]: StaleTable<Stores[Name]>;
};

const emailChanged = (change: ChangeResult): readonly Revoked[] =>
	change === null || change === 'email_taken' ? [] : [...change.ended, change.user.id];

const listed = (ended: SessionId | null): readonly Revoked[] => (ended === null ? [] : [ended]);

/** The sessions that methods of the stores end, and the accounts that they change. */
const staleAfter: StaleTables = {
	accounts: {
		update: (user) => (user === null ? [] : [user.id]),
		delete: (ended) => ended ?? [],
		purge: (purged) => purged
	},
	emailChanges: { complete: emailChanged },
	emailUndos: { undo: emailChanged },
	operators: {
		act: (ended, { userId }) => (typeof ended === 'string' ? [] : [...ended, userId])
	},
	// `prune` is not here: caches never use expired sessions.
	sessions: {
		end: listed,
		endOne: listed,
		endOnDevice: (ended) => ended,
		endSessionsExcept: (ended) => ended
	},
	signIns: {
		redeem: (redeemed) => (redeemed?.kind === 'signed_in' ? redeemed.ended : [])
	}
};

/** The type of the table ties each function to its method. Here all have one type. */
const tables = staleAfter as unknown as Readonly<
	Record<string, Readonly<Record<string, (...known: unknown[]) => readonly Revoked[]>> | undefined>
>;

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
		const staleIn = tables[store]?.[name];
		if (staleIn === undefined) return run;
		return async (...input) => {
			const result = await run(...input);
			revoke(staleIn(result, ...input));
			return result;
		};
	});
