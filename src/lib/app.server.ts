import { codeShape, type CodeShape } from '#lib/domain/code.ts';
import {
	defaultPolicy,
	makeEndSession,
	makePruneThrottle,
	makeReadPendingCode,
	makeReadSession,
	makeRequestCode,
	makeUserCreated,
	makeVerifyCode,
	type AuthPolicy,
	type Challenges,
	type Clock,
	type CodeHasher,
	type DomainNames,
	type EndSession,
	type Ids,
	type Mailer,
	type PruneThrottle,
	type Random,
	type ReadPendingCode,
	type ReadSession,
	type RequestCode,
	type SecretHasher,
	type Sessions,
	type SignIns,
	type Throttle,
	type VerifyCode
} from '#lib/domain/index.ts';
import { aesSealer } from '#lib/adapters/crypto/aes-sealer.ts';
import { argon2CodeHasher } from '#lib/adapters/crypto/argon2-code-hasher.ts';
import { hmacSigner } from '#lib/adapters/crypto/hmac-signer.ts';
import { hmacSecretHasher } from '#lib/adapters/crypto/hmac-secret-hasher.ts';
import { deriveKeys, type KeyPurpose, type KeyRing } from '#lib/adapters/crypto/keys.ts';
import { openMailer } from '#lib/adapters/mail/open-mailer.ts';
import { openPostgres } from '#lib/adapters/postgres/open.ts';
import { sqlStores } from '#lib/adapters/sql/stores.ts';
import { openSqlite } from '#lib/adapters/sqlite/open.ts';
import { processBackground, type DrainableBackground } from '#lib/adapters/system/background.ts';
import { jsonLog, type Log } from '#lib/adapters/system/json-log.ts';
import { nodeDomainNames } from '#lib/adapters/system/node-domain-names.ts';
import { systemClock } from '#lib/adapters/system/system-clock.ts';
import { systemRandom } from '#lib/adapters/system/system-random.ts';
import { uuidIds } from '#lib/adapters/system/uuid-ids.ts';
import { webTools, type WebTools } from '#lib/adapters/web/web-tools.ts';
import type { Config } from './config.server.ts';

export interface Stores {
	readonly challenges: Challenges;
	readonly signIns: SignIns;
	readonly sessions: Sessions;
	readonly throttle: Throttle;
}

/** Everything the use-cases reach the outside through. */
export interface Ports {
	readonly stores: Stores;
	readonly mailer: Mailer;
	readonly codeHasher: CodeHasher;
	readonly secretHasher: SecretHasher;
	readonly domainNames: DomainNames;
	readonly clock: Clock;
	readonly random: Random;
	readonly ids: Ids;
	readonly background: DrainableBackground;
	readonly policy: AuthPolicy;
	readonly codeShape: CodeShape;
	readonly log: Log;
}

/** What routes and hooks may call: the use-cases, and what the web needs to know beside them. */
export interface App extends WebTools {
	readonly config: Config;
	readonly clock: Clock;
	readonly random: Random;
	readonly ids: Ids;
	readonly policy: AuthPolicy;
	readonly log: Log;
	readonly requestCode: RequestCode;
	readonly readPendingCode: ReadPendingCode;
	readonly verifyCode: VerifyCode;
	readonly readSession: ReadSession;
	readonly endSession: EndSession;
	readonly pruneThrottle: PruneThrottle;
	/** Finishes what is under way and lets go of the mail server and the database. */
	close(): Promise<void>;
}

/**
 * Builds the application: one storage by the scheme of the database address, every port, every
 * use-case. Tests call it with ports of their own in place of the real ones.
 */
export const compose = async (config: Config, overrides: Partial<Ports> = {}): Promise<App> => {
	const log = overrides.log ?? jsonLog();
	const storage = overrides.stores
		? { ...overrides.stores, close: async () => undefined }
		: await openStorage(config);
	const keys = (purpose: KeyPurpose): KeyRing =>
		deriveKeys(config.secret, config.previousSecrets, purpose);
	const background = overrides.background ?? processBackground(log.fault);
	const mailer = overrides.mailer
		? { send: overrides.mailer.send, close: () => undefined }
		: openMailer(config, (event) => log.event('mail_failed', { ...event }));
	const ports = {
		...storage,
		mailer,
		codeHasher: overrides.codeHasher ?? argon2CodeHasher(keys('code')),
		secretHasher: overrides.secretHasher ?? hmacSecretHasher(keys('session-token')),
		domainNames: overrides.domainNames ?? nodeDomainNames(),
		clock: overrides.clock ?? systemClock(),
		random: overrides.random ?? systemRandom(),
		ids: overrides.ids ?? uuidIds(),
		background,
		policy: overrides.policy ?? defaultPolicy,
		codeShape: overrides.codeShape ?? codeShape
	};
	return {
		config,
		clock: ports.clock,
		random: ports.random,
		ids: ports.ids,
		policy: ports.policy,
		log,
		...webTools(config, {
			clock: ports.clock,
			sealer: aesSealer(keys('session-cache')),
			signer: hmacSigner(keys('form-token'))
		}),
		requestCode: makeRequestCode(ports),
		readPendingCode: makeReadPendingCode(ports),
		verifyCode: makeVerifyCode({ ...ports, userCreated: makeUserCreated(ports) }),
		readSession: makeReadSession(ports),
		endSession: makeEndSession(ports),
		pruneThrottle: makePruneThrottle(ports),
		close: async () => {
			await background.drain();
			mailer.close();
			await storage.close();
		}
	};
};

const openStorage = async ({ database }: Config): Promise<Stores & { close(): Promise<void> }> => {
	const sql = await (database.kind === 'sqlite' ? openSqlite : openPostgres)(database.url);
	return { ...sqlStores(sql), close: sql.close };
};
