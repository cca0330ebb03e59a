import type { Ids } from './ids.ts';
import type { Mailer } from './mail.ts';
import type { Outbox } from './outbox.ts';
import type { Pacer } from './pacer.ts';
import type { AuthPolicy } from './policy.ts';
import type { DomainNames, Random } from './ports.ts';
import type { SecretHasher } from './secret.ts';
import type { Clock } from './time.ts';

/** The ports of the storage. Each capability adds its own in its `ports.ts`. */
export interface Stores {}

/** What use-cases depend on. Each capability adds its own ports and settings in its `ports.ts`. */
export interface UseCaseDeps extends Stores {
	readonly clock: Clock;
	readonly domainNames: DomainNames;
	readonly ids: Ids;
	readonly mailer: Mailer;
	readonly outbox: Outbox;
	readonly pacer: Pacer;
	readonly policy: AuthPolicy;
	readonly random: Random;
	readonly secretHasher: SecretHasher;
}

/** A part of them, for functions whose callers do not have all. */
export type Deps<Name extends keyof UseCaseDeps> = Pick<UseCaseDeps, Name>;

/** A use-case that only calls one method of a store. The port describes it. */
export const fromStore =
	<Store extends keyof Stores, Name extends keyof Stores[Store]>(store: Store, name: Name) =>
	({ [store]: port }: Deps<Store>): Stores[Store][Name] =>
		((...input) => (port[name] as StoreMethod)(...input)) as StoreMethod as Stores[Store][Name];

/** Any method of a store, where the code is the same for all of them. */
export type StoreMethod = (...input: unknown[]) => Promise<unknown>;
