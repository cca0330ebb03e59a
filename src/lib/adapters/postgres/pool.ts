import type { Options, Sql as Client } from 'postgres';
import { StoreUnavailable } from '#lib/domain/errors.ts';
import { storeFault } from '../sql/sql.ts';
import { sessionSettings } from './session-settings.ts';

/** The server ends a statement after this long, in milliseconds, and a transaction that stands still. */
const STATEMENT_TIMEOUT = 4000;
/** A server that does not even do that is not waited for: the request is answered without it. */
const PATIENCE = 4500;
const NO_ANSWER = 'NO_ANSWER';
/** Connections, beside the one that listens. */
const POOL_SIZE = 10;

/** The driver's own pauses grow to 20 s, and we would be out that long after the server is back. */
const RECONNECT_AFTER_S = 0.25;
/** Shorter than the patience, so that who waits for a connection learns that none came up. */
const CONNECT_TIMEOUT_S = 3;

/** What every connection of ours is made with, the one that migrates aside. */
export const connectionOptions = {
	connect_timeout: CONNECT_TIMEOUT_S,
	backoff: () => RECONNECT_AFTER_S,
	fetch_types: false,
	onnotice: () => {},
	connection: {
		...sessionSettings,
		statement_timeout: STATEMENT_TIMEOUT,
		idle_in_transaction_session_timeout: STATEMENT_TIMEOUT
	}
} as const satisfies Options<Record<string, never>>;

export interface Pool {
	/** The driver's client, whichever pool is behind it at the moment. */
	readonly client: Client;
	/** Waits for an answer as long as a request may, then throws `StoreUnavailable`. */
	patiently<T>(ask: () => PromiseLike<T>): Promise<T>;
	close(): Promise<void>;
}

/**
 * Connections that do not outlive a server that stopped answering. When one neither answers nor
 * ends a statement in time, it is frozen or out of reach: statements that still wait must not reach
 * it when it is back, and connections the network has lost would not notice for a quarter of an hour.
 */
export const openPool = (connect: (options: { max: number }) => Client): Pool => {
	let current = connect({ max: POOL_SIZE });
	let openedAt = performance.now();

	const replace = (): void => {
		const stuck = current;
		current = connect({ max: POOL_SIZE });
		openedAt = performance.now();
		void stuck.end({ timeout: 0 });
	};
	return {
		client: new Proxy(current, {
			get: (_, name): unknown => Reflect.get(current, name)
		}),
		patiently: async (ask) => {
			const asked = performance.now();
			try {
				return await within(PATIENCE, ask());
			} catch (error) {
				if (storeFault(error).reason === NO_ANSWER && asked >= openedAt) replace();
				throw error;
			}
		},
		close: () => current.end({ timeout: 2 })
	};
};

/** Gives up on an answer after some milliseconds. */
export const within = async <T>(patience: number, answer: PromiseLike<T>): Promise<T> => {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(new StoreUnavailable(NO_ANSWER)), patience);
	});
	try {
		return await Promise.race([answer, late]);
	} finally {
		clearTimeout(timer);
	}
};
