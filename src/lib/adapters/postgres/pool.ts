import type { Options, Sql as Client } from 'postgres';
import { StoreUnavailable } from '#lib/domain/errors.ts';
import { storeFault } from '../sql/sql.ts';
import { sessionSettings } from './session-settings.ts';

/** The server ends a statement after this long, in milliseconds, and a transaction that stands still. */
const STATEMENT_TIMEOUT = 4000;
/** A server that does not even do that is not waited for: the request is answered without it. */
const PATIENCE = 4500;
const NO_ANSWER = 'NO_ANSWER';
/**
 * A connection that was cut with bytes on their way out. The driver reconnects it with those bytes
 * still waiting, and it never gets a word out again (porsager/postgres#1208).
 */
const CUT: readonly string[] = ['CONNECTION_CLOSED', 'ECONNRESET', 'EPIPE', 'CONNECT_TIMEOUT'];
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

	const replace = (grace: number): void => {
		const stuck = current;
		current = connect({ max: POOL_SIZE });
		openedAt = performance.now();
		void stuck.end({ timeout: grace });
	};
	return {
		client: new Proxy(current, {
			get: (_, name): unknown => Reflect.get(current, name),
			// As a template's tag: without this the first pool would be asked, also when it is gone.
			apply: (_, self, words): unknown => Reflect.apply(current, self, words)
		}),
		patiently: async (ask) => {
			const asked = performance.now();
			try {
				return await within(PATIENCE, ask());
			} catch (error) {
				const { reason } = storeFault(error);
				if (asked >= openedAt) {
					if (reason === NO_ANSWER) replace(0);
					// What others wait for on the connections that are left may still come.
					else if (CUT.includes(reason)) replace(PATIENCE / 1000);
				}
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
