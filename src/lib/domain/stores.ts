import type { Accounts } from './account/ports.ts';
import type { Consents, UnsubscribeLinks } from './consent/ports.ts';
import type { EmailChanges, EmailUndos } from './email-change/ports.ts';
import type { Events } from './events/ports.ts';
import type { Throttle } from './limits/ports.ts';
import type { Operators } from './operators/ports.ts';
import type { OidcStore } from './oidc/ports.ts';
import type { OutboxRows } from './delivery/ports.ts';
import type { SpentProofs } from './proof/ports.ts';
import type { Purchases } from './purchases/ports.ts';
import type { ChangeFeed, Devices, Sessions } from './sessions/ports.ts';
import type { Challenges, SignIns } from './sign-in/ports.ts';
import type { TaskRuns } from './tasks/ports.ts';
import type { Clock } from './time.ts';

export interface Stores {
	readonly accounts: Accounts;
	readonly challenges: Challenges;
	readonly consents: Consents;
	readonly devices: Devices;
	readonly emailChanges: EmailChanges;
	readonly emailUndos: EmailUndos;
	readonly events: Events;
	readonly operators: Operators;
	readonly oidcStore: OidcStore;
	readonly outboxRows: OutboxRows;
	readonly purchases: Purchases;
	readonly sessions: Sessions;
	readonly signIns: SignIns;
	readonly taskRuns: TaskRuns;
	readonly spentProofs: SpentProofs;
	readonly throttle: Throttle;
	readonly unsubscribeLinks: UnsubscribeLinks;
}

export interface DatabaseHandle {
	/** PostgreSQL's clock, which all instances share. Null for SQLite. */
	readonly clock: Clock | null;
	/** The changes that other processes make. */
	changes(): ChangeFeed;
	/** Checks that the database responds. Throws `StoreUnavailable` when it does not. */
	ping(): Promise<void>;
	/** Closes the database. No call is allowed afterwards. */
	close(): Promise<void>;
}

export interface OpenedStorage extends DatabaseHandle {
	readonly stores: Stores;
}

/** Any method of a store, where the code is the same for all of them. */
export type StoreMethod = (...input: unknown[]) => Promise<unknown>;

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
