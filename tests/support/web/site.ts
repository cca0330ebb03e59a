import { nextClient } from '../callers.ts';
import { hmacSigner } from '#lib/adapters/crypto/hmac.ts';
import { deriveKeys } from '#lib/adapters/crypto/keys.ts';
import { memoryMailer, immediateWorker } from '../memory/mailer.ts';
import {
	fixedClock,
	backgroundWork,
	plainCodeHasher,
	plainSecretHasher,
	restlessPacer,
	type FixedClock
} from '../memory/drivers.ts';
import { memoryStorage, memoryStores } from '../memory/stores.ts';
import type { Account, Subscriptions } from '#lib/domain/account/ports.ts';
import { memoryTables, type MemoryTables } from '../memory/tables.ts';
import type { Log } from '#lib/domain/ports.ts';
import type { FetchText } from '#lib/adapters/web/delivery/sns.ts';
import { requestPipeline } from '#lib/adapters/web/request-pipeline.ts';
import { compose } from '#lib/app.server.ts';
import { StoreUnavailable } from '#lib/domain/errors.ts';
import type { Mail } from '#lib/domain/mail.ts';
import type { Stores } from '#lib/domain/deps.ts';
import { configOf } from './config.ts';
import { cheapProofPuzzles } from './solve.ts';
import { openVisitor, type Visitor } from './visitor.ts';

/** An operation of a store, such as `sessions.find`. */
type Query = { [S in keyof Stores]: `${S}.${string & keyof Stores[S]}` }[keyof Stores];

interface LogLine {
	readonly name: string;
	readonly [field: string]: unknown;
}

export const ORIGIN = 'https://app.example.com';

/** The mailer in memory takes the place of the console. */
const SETTINGS = { AUTH_URL: ORIGIN, EMAIL_CONSOLE: 'allow' };

interface SiteOptions {
	/** The data of another site. Without it, a site starts empty. */
	readonly tables?: MemoryTables;
	readonly clock?: FixedClock;
	/** What answers instead of Amazon. */
	readonly fetchText?: FetchText;
	readonly subscriptions?: Subscriptions;
	/** Changes the form of each port before the application is composed. */
	readonly asPort?: <Port extends object>(port: Port) => Port;
}

/**
 * The application with its real pipeline and routes, over stores in memory, a clock that stands
 * still and fast hashers. `settings` are environment variables.
 */
export const aSite = async (
	settings: Readonly<Record<string, string>> = {},
	{ tables = memoryTables(), asPort = (port) => port, ...options }: SiteOptions = {}
) => {
	const config = configOf({ ...SETTINGS, ...settings });
	const { clock = fixedClock(), fetchText, subscriptions } = options;
	const mailer = memoryMailer();
	const background = backgroundWork();
	const log: LogLine[] = [];
	const queries: Query[] = [];
	const down = new Map<Query, Error>();
	const stores = Object.entries(watched(memoryStores(tables), queries, down));

	const app = await compose(config, {
		storage: asPort(
			memoryStorage(
				Object.fromEntries(stores.map(([name, store]) => [name, asPort(store as object)])) as never
			)
		),
		clock: asPort(clock),
		monotonic: clock.monotonic,
		mailer: asPort(mailer),
		openWorker: immediateWorker(background),
		pacer: asPort(restlessPacer),
		...(fetchText && { fetchText }),
		...(subscriptions && { subscriptions }),
		codeHasher: asPort(plainCodeHasher()),
		secretHasher: asPort(plainSecretHasher()),
		proof: {
			puzzles: asPort(cheapProofPuzzles(config.secret)),
			signer: hmacSigner(deriveKeys(config.secret, [], 'proof'))
		},
		log: asPort<Log>({
			event: (name, fields) => void log.push({ name, ...fields }),
			fault: (where, fault, fields) => void log.push({ name: 'fault', where, fault, ...fields })
		})
	});
	const handle = requestPipeline(() => app);

	return {
		app,
		/** As the composition root derives it. */
		messageSigner: hmacSigner(deriveKeys(config.secret, [], 'message-id')),
		clock,
		tables,
		log,
		/** Runs `work` and returns the operations of the stores that it needed. */
		queriesOf: async (work: () => Promise<unknown>): Promise<readonly Query[]> => {
			const before = queries.length;
			await work();
			return queries.slice(before);
		},
		/** This operation fails from now on, as without a database unless another error is given. */
		breakStore: (operation: Query, error: Error = new StoreUnavailable('broken by a test')): void =>
			void down.set(operation, error),
		repairStore: (): void => down.clear(),
		/** The account of an email address. Fails if there is none. */
		userOf: (email: string): Account => {
			const row = [...tables.users.values()].find((one) => one.email === email);
			if (row === undefined) throw new Error(`no account of ${email}`);
			return row;
		},
		/** The emails to an address so far, after all background work. */
		mailsTo: async (email: string): Promise<readonly Mail[]> => {
			await background.flush();
			return mailer.mails.filter(({ to }) => to === email);
		},
		/** The newest code for an address. Fails if there is none. */
		codeFor: async (email: string): Promise<string> => {
			await background.flush();
			const code = mailer.lastCodeTo(email);
			if (code === null) throw new Error(`no code was sent to ${email}`);
			return code;
		},
		/** The newest link for an email change to an address. Fails if there is none. */
		linkFor: async (email: string): Promise<string> => {
			await background.flush();
			const token = mailer.lastLinkTo(email);
			if (token === null) throw new Error(`no link was sent to ${email}`);
			return token;
		},
		/** A client with a browser, which starts with the cookies of `like`. */
		visitor: (like?: Visitor, clientAddress = nextClient()): Visitor =>
			openVisitor(handle, config.origin, clock, clientAddress, like)
	};
};

export type Site = Awaited<ReturnType<typeof aSite>>;

/** Stores that record each operation, and fail those that are down. */
const watched = (stores: Stores, queries: Query[], down: ReadonlyMap<Query, Error>): Stores =>
	Object.fromEntries(
		Object.entries(stores).map(([name, store]) => [
			name,
			Object.fromEntries(
				Object.entries(store as Record<string, (...input: unknown[]) => Promise<unknown>>).map(
					([operation, run]) => {
						const query = `${name}.${operation}` as Query;
						const watchedRun = async (...input: unknown[]): Promise<unknown> => {
							queries.push(query);
							const error = down.get(query);
							if (error !== undefined) throw error;
							return run(...input);
						};
						return [operation, watchedRun];
					}
				)
			)
		])
	) as unknown as Stores;
