import { SHELL_ORIGINS } from '#lib/config/addresses.ts';
import type { Config } from '#lib/config.server.ts';
import type { Network } from '#lib/domain/client.ts';
import type { AuthPolicy } from '#lib/domain/policy.ts';
import type { DomainNames, Sealer, Signer } from '#lib/domain/ports.ts';
import { makeProofs, type ProofsDeps } from '#lib/domain/proof/proofs.ts';
import type { ChangeFeed } from '#lib/domain/sessions/ports.ts';
import type { Clock } from '#lib/domain/time.ts';
import { clientAddresses, networkPrefix } from './edge/limits/client-address.ts';
import { cacheValidity, type Monotonic } from './edge/session/cache-validity.ts';
import { requestLimits } from './edge/limits/hit-limits.ts';
import { cookieCache } from './edge/session/cookie-cache.ts';
import { fetchText, type FetchText } from './delivery/sns.ts';
import { mailHooks } from './delivery/answer-mail-hook.ts';
import { pendingConsents } from './consent/pending-consent.ts';
import { processCache } from './edge/session/process-cache.ts';

/** What the web adapter needs besides the use-cases. Created once per process. */
export type WebTools = ReturnType<typeof webTools>['tools'];

export interface WebToolsDeps {
	readonly clock: Clock;
	readonly monotonic: Monotonic;
	/** Unique, so that no other process uses what this one caches. */
	readonly processId: string;
	readonly changes: ChangeFeed;
	readonly sealer: Sealer;
	readonly formSigner: Signer;
	readonly hashNetwork: (network: string) => Network;
	readonly domainNames: DomainNames;
	readonly proof: Pick<ProofsDeps, 'puzzles' | 'signer'>;
	readonly policy: AuthPolicy;
	/** Gets certificates of Amazon and confirms subscriptions there. */
	readonly fetchText?: FetchText | undefined;
}

const loggedClients: Readonly<Record<Config['logClient'], (address: string) => string | null>> = {
	off: () => null,
	prefix: networkPrefix,
	full: (address) => address
};

export const webTools = (
	{ origin, trustedOrigins, trustedProxies, mailHooks: hooks, logClient }: Config,
	deps: WebToolsDeps
) => {
	const { clock, monotonic, changes, formSigner, domainNames, policy } = deps;
	const validity = cacheValidity(changes, monotonic);
	const addresses = clientAddresses(trustedProxies);
	const tools = {
		/** Our own origin and those trusted like it. */
		trustedOrigins: new Set([origin, ...trustedOrigins]) as ReadonlySet<string>,
		/** Origins to which our forms may redirect. */
		formTargets: trustedOrigins.filter(
			(one) => /^https?:/.test(one) && !SHELL_ORIGINS.includes(one)
		),
		clientAddress: addresses.read,
		/** Whether a peer may be a proxy, so that its forwarded headers count. */
		mayForward: addresses.mayForward,
		/** As much of a client address as `LOG_CLIENT` lets the log and events have. */
		loggedClient: loggedClients[logClient],
		/** The network of a client address, for the counts of the database. */
		hashedNetworkOf: (address: string) => deps.hashNetwork(networkPrefix(address)),
		hitLimits: requestLimits(monotonic),
		cookieCache: cookieCache(deps.sealer, deps.processId),
		processCache: processCache(),
		cacheValidity: { isCurrent: validity.isCurrent },
		monotonic,
		formSigner,
		sealer: deps.sealer,
		pendingConsents: pendingConsents({ signer: formSigner, clock, domainNames }),
		domainNames,
		proofs: makeProofs({ ...deps.proof, clock, domainNames, policy }),
		mailHooks: mailHooks(hooks, { clock, fetchText: deps.fetchText ?? fetchText })
	};
	/** `revoke` is for the composition root, which connects it to the stores. No request uses it. */
	return { tools, revoke: validity.revoke };
};
