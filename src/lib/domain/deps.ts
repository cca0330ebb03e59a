import type { DomainNames, Random, Sealer, Signer } from './ports.ts';
import type { ChangeNotices } from './email-change/ports.ts';
import type { CodeCounts } from './events/ports.ts';
import type { Ids } from './ids.ts';
import type { BudgetLog, NetworkWrongCodes } from './limits/ports.ts';
import type { Mailer } from './mail.ts';
import type { OidcSecrets } from './oidc/ports.ts';
import type { Outbox } from './outbox.ts';
import type { Pacer } from './pacer.ts';
import type { AuthPolicy } from './policy.ts';
import type { SecretHasher } from './secret.ts';
import type { CodeHasher } from './sign-in/ports.ts';
import type { StoreMethod, Stores } from './stores.ts';
import type { Clock } from './time.ts';

export interface UseCaseDeps extends Stores {
	readonly budgetLog: BudgetLog;
	readonly changeLinkSigner: Signer;
	readonly changeNotices: ChangeNotices;
	readonly clock: Clock;
	readonly codeCounts: CodeCounts;
	readonly codeHasher: CodeHasher;
	readonly domainNames: DomainNames;
	readonly ids: Ids;
	readonly mailer: Mailer;
	readonly mailSealer: Sealer;
	readonly messageSigner: Signer;
	readonly networkWrongCodes: NetworkWrongCodes;
	readonly newDeviceSigner: Signer;
	readonly oidcSecrets: OidcSecrets;
	readonly outbox: Outbox;
	readonly pacer: Pacer;
	readonly policy: AuthPolicy;
	readonly random: Random;
	readonly secretHasher: SecretHasher;
	readonly undoSigner: Signer;
	readonly unsubscribeSigner: Signer;
	/** Whether this installation sends links that confirm an email change. */
	readonly changeLinks: boolean;
	readonly eventsDays: number;
	readonly newDeviceNotices: boolean;
	/** Whether a send by an unknown client needs a proof of work. */
	readonly proofOfWork: boolean;
	readonly reauthentication: boolean;
	/** When closed, no account is created, and only existing accounts get sign-in codes. */
	readonly signUp: 'open' | 'closed';
}

/** The part of them that one use-case needs, or one step of several. */
export type Deps<Name extends keyof UseCaseDeps> = Pick<UseCaseDeps, Name>;

/** A use-case that only calls one method of a store. The port describes it. */
export const fromStore =
	<Store extends keyof Stores, Name extends keyof Stores[Store]>(store: Store, name: Name) =>
	({ [store]: port }: Deps<Store>): Stores[Store][Name] =>
		((...input) => (port[name] as StoreMethod)(...input)) as StoreMethod as Stores[Store][Name];
