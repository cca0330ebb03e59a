import type { StoreMethod, Stores } from './deps.ts';
import type { Clock } from './time.ts';

export interface DatabaseHandle {
	/** PostgreSQL's clock, which all instances share. Null for SQLite. */
	readonly clock: Clock | null;
	/** Checks that the database responds. Throws `StoreUnavailable` when it does not. */
	ping(): Promise<void>;
	/** Closes the database. No call is allowed afterwards. */
	close(): Promise<void>;
}

export interface OpenedStorage extends DatabaseHandle {
	readonly stores: Stores;
}

/** The stores, with each method replaced by what `wrap` makes of it. */
export const wrapMethods = (
	stores: Stores,
	wrap: (run: StoreMethod, store: string, name: string) => StoreMethod
): Stores =>
	Object.fromEntries(
		Object.entries(stores).map(([store, port]: [string, object]) => {
			const get = (target: object, name: string | symbol): unknown => {
				const found: unknown = Reflect.get(target, name);
				// A store can be an instance of a class, whose methods need their own `this`.
				return typeof found === 'function'
					? wrap((found as StoreMethod).bind(target), store, String(name))
					: found;
			};
			return [store, new Proxy(port, { get })];
		})
	) as unknown as Stores;
