import type { Subscriptions } from '#lib/domain/account/ports.ts';
import type { UseCaseDeps } from '#lib/domain/deps.ts';
import { makeCodeCounts } from '#lib/domain/events/code-counts.ts';
import { invalidatingStores } from '#lib/domain/invalidating-stores.ts';
import { makeBudgetLog } from '#lib/domain/limits/counts.ts';
import type { Log } from '#lib/domain/ports.ts';
import { defaultPolicy, withEmailBudget } from '#lib/domain/policy.ts';
import type { Stores } from '#lib/domain/deps.ts';
import type { OpenedStorage } from '#lib/domain/stores.ts';
import { makeUseCases, type UseCases } from '#lib/domain/use-cases.ts';
import { cryptoTools } from '#lib/adapters/crypto/crypto-tools.ts';
import { openDelivery, type DeliveryOverrides } from '#lib/adapters/mail/open-delivery.ts';
import type { MigrateOptions } from '#lib/adapters/postgres/migrate.ts';
import { openPostgres } from '#lib/adapters/postgres/open.ts';
import { asSystem, inEventContext } from '#lib/adapters/sql/events/record-event.ts';
import { sqlStorage } from '#lib/adapters/sql/stores.ts';
import { openSqlite } from '#lib/adapters/sqlite/open.ts';
import { processLog, type Output } from '#lib/adapters/system/process-log.ts';
import { nodeDomainNames } from '#lib/adapters/system/node-domain-names.ts';
import { systemPacer } from '#lib/adapters/system/system-pacer.ts';
import { isStopping } from '#lib/adapters/system/stopping.ts';
import {
	monotonic as systemMonotonic,
	systemClock,
	systemRandom,
	systemTiming,
	uuidIds
} from '#lib/adapters/system/system.ts';
import { networkPrefix } from '#lib/adapters/web/edge/limits/client-address.ts';
import { networkWrongCodes } from '#lib/adapters/web/edge/limits/network-wrong-codes.ts';
import { openMetrics, type Metrics } from '#lib/adapters/web/metrics/open-metrics.ts';
import { unsubscribeUrls } from '#lib/adapters/web/consent/unsubscribe.ts';
import type { OidcService } from '#lib/adapters/web/oidc/open-oidc.ts';
import { webTools, type WebTools, type WebToolsDeps } from '#lib/adapters/web/web-tools.ts';
import type { Config } from './config.server.ts';

interface ReplaceablePorts extends Pick<
	UseCaseDeps,
	| 'mailer'
	| 'changeNotices'
	| 'codeHasher'
	| 'secretHasher'
	| 'changeLinkSigner'
	| 'domainNames'
	| 'clock'
	| 'random'
	| 'ids'
	| 'pacer'
> {
	readonly storage: OpenedStorage;
	readonly subscriptions: Subscriptions;
	readonly log: Log;
}

interface Overrides
	extends
		Partial<ReplaceablePorts>,
		Partial<Pick<WebToolsDeps, 'monotonic' | 'proof' | 'fetchText'>> {
	readonly openWorker?: DeliveryOverrides['openWorker'];
	/** Where the log and the console mailer print. By default, standard output. */
	readonly output?: Output;
	/** Leaves out the lines of requests in a terminal (`processLog`). */
	readonly omitsRequests?: boolean;
	/** How long to wait for the configured database. A server can start before it. */
	readonly waiting?: MigrateOptions;
}

/** What routes, hooks and tasks may call: the use-cases and a few tools. */
export interface App
	extends
		UseCases,
		WebTools,
		Pick<UseCaseDeps, 'policy'>,
		Pick<ReplaceablePorts, 'clock' | 'random' | 'log' | 'subscriptions'> {
	readonly config: Config;
	/** Null if it is off. Then nothing of it is loaded. */
	readonly oidc: OidcService | null;
	readonly unsubscribe: ReturnType<typeof unsubscribeUrls>;
	readonly taskRuns: Stores['taskRuns'];
	readonly metrics: Metrics | null;
	/** Throws `StoreUnavailable` when the database does not respond. */
	readonly pingStore: () => Promise<void>;
	readonly isStopping: () => boolean;
	/** Starts to send what earlier processes left: emails, and notices of ended sessions. */
	readonly startWorkers: () => void;
	readonly inEventContext: typeof inEventContext;
	/** Runs work that neither a person nor an operator does, such as a daily task. */
	readonly asSystem: <T>(work: () => T) => T;
	/** Finishes running work, sends the emails that are due, then closes all connections. */
	close(): Promise<void>;
}

/** Builds the application: storage, ports and use-cases. Tests pass ports of their own. */
export const compose = async (config: Config, overrides: Overrides = {}): Promise<App> => {
	const storage = overrides.storage ?? (await openStorage(config, overrides.waiting));
	const clock = overrides.clock ?? storage.clock ?? systemClock();
	const monotonic = overrides.monotonic ?? systemMonotonic;
	const policy = withEmailBudget(defaultPolicy, config.emailBudget);
	const crypto = cryptoTools(config.secret, config.previousSecrets);
	const ids = overrides.ids ?? uuidIds();
	const domainNames = overrides.domainNames ?? nodeDomainNames();
	const { tools, revoke } = webTools(config, {
		clock,
		monotonic,
		processId: ids.next(),
		changes: storage.changes(),
		...crypto,
		proof: overrides.proof ?? crypto.proof,
		fetchText: overrides.fetchText,
		domainNames,
		policy
	});
	const metrics = await openMetrics(config.metricsToken, {
		clock,
		backlog: () => storage.stores.outboxRows.backlog(),
		cachedSessions: () => tools.processCache.size
	});
	const { output = process.stdout, omitsRequests } = overrides;
	const plainLog = overrides.log ?? processLog(output, omitsRequests);
	const log = metrics?.counted(plainLog) ?? plainLog;
	const stores = invalidatingStores(metrics?.timed(storage.stores) ?? storage.stores, revoke);
	const shared = { ...stores, ...crypto, ids, clock, policy };
	const delivery = openDelivery(
		config,
		{ ...shared, log, timing: systemTiming, networkPrefixOf: networkPrefix },
		overrides
	);
	const codeCounts = makeCodeCounts({
		...shared,
		after: systemTiming.after,
		onFault: (fault) => log.fault('hourly counts', fault)
	});
	const logEvent: Log['event'] = (name, fields) => log.event(name, fields);
	const ports = {
		...shared,
		...delivery.ports,
		codeCounts,
		domainNames,
		budgetLog: makeBudgetLog(logEvent),
		networkWrongCodes: networkWrongCodes({ monotonic, policy, log: logEvent }),
		random: systemRandom(),
		pacer: systemPacer(),
		changeLinks: config.emailChange.link,
		reauthentication: config.emailChange.reauthentication,
		proofOfWork: config.proofOfWork,
		newDeviceNotices: config.newDeviceNotices,
		signUp: config.signUp,
		eventsDays: config.eventsDays,
		...overrides
	};
	const useCases = makeUseCases(ports);
	// Loads the provider and its library only here, because most installations do without.
	const oidc =
		config.oidc &&
		(await import('#lib/adapters/web/oidc/open-oidc.ts')).openOidc({
			...config,
			...config.oidc,
			...ports,
			log,
			after: systemTiming.after
		});
	return {
		config,
		clock,
		random: ports.random,
		policy,
		log,
		taskRuns: stores.taskRuns,
		metrics,
		// The default is for applications that sell nothing.
		subscriptions: overrides.subscriptions ?? { of: async () => ({ status: 'none' }) },
		...tools,
		...useCases,
		oidc,
		unsubscribe: unsubscribeUrls(config.origin, useCases),
		inEventContext,
		asSystem: (work) => asSystem(clock, work),
		pingStore: () => storage.ping(),
		isStopping,
		startWorkers: () => {
			delivery.start();
			oidc?.start();
		},
		close: async () => {
			await Promise.all([delivery.finish(), oidc?.stop()]);
			await codeCounts.stop();
			await storage.close();
		}
	};
};

const openStorage = async (
	{ database: { kind, url, access } }: Config,
	waiting?: MigrateOptions
): Promise<OpenedStorage> =>
	sqlStorage(
		await (kind === 'sqlite' ? openSqlite(url, waiting) : openPostgres(url, { ...waiting, access }))
	);
