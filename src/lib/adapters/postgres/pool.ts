import type { Options, Sql as Client } from 'postgres';
import { StoreUnavailable } from '#lib/domain/errors.ts';
import { storeFault } from '../sql/sql.ts';
import { sessionSettings } from './session-settings.ts';

/**
 * The server ends a statement after this long, in milliseconds, and a transaction that stands still.
 * A page for strangers waits twice, for who looks at it and for what it does, within five seconds.
 */
const STATEMENT_TIMEOUT = 2000;
/** A server that does not even do that is not waited for: the request is answered without it. */
const PATIENCE = 2300;
const NO_ANSWER = 'NO_ANSWER';
/**
 * A connection that was cut with bytes on their way out. The driver reconnects it with those bytes
 * still waiting, and it never gets a word out again (porsager/postgres#1208).
 */
const CUT: readonly string[] = ['CONNECTION_CLOSED', 'ECONNRESET', 'EPIPE', 'CONNECT_TIMEOUT'];
/** The server's word for writing where it only reads. */
const READ_ONLY = '25006';
/** Between two replacements of connections that only read, in milliseconds. */
const READ_ONLY_PAUSE = 1000;
/** Connections, beside the one that listens. */
const POOL_SIZE = 10;

/** The driver's own pauses grow to 20 s, and we would be out that long after the server is back. */
const RECONNECT_AFTER_S = 0.25;
/** Shorter than the patience, so that who waits for a connection learns that none came up. */
const CONNECT_TIMEOUT_S = 2;

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
 *
 * Nor do they outlive a failover. A connection may go on only reading when the server writes again,
 * or when another one has taken over under its name; it is only a new one that finds out.
 */
export const openPool = (connect: (options: { max: number }) => Client): Pool => {
	let current = connect({ max: POOL_SIZE });
	let openedAt = performance.now();

	/** What is under way on the earlier connections may go on for some seconds. */
	const replace = (timeout: number): void => {
		const earlier = current;
		current = connect({ max: POOL_SIZE });
		openedAt = performance.now();
		void earlier.end({ timeout });
	};
	const judge = (fault: string, asked: number): void => {
		// Asked of an earlier pool, it says nothing about this one.
		if (asked < openedAt) return;
		if (fault === NO_ANSWER) replace(0);
		// What others wait for on the connections that are left may still come.
		else if (CUT.includes(fault)) replace(PATIENCE / 1000);
		else if (fault === READ_ONLY && asked >= openedAt + READ_ONLY_PAUSE) replace(PATIENCE / 1000);
	};
	return {
		client: new Proxy(current, {
			get: (_, name): unknown => Reflect.get(current, name),
			apply: (_, self, statement): unknown => Reflect.apply(current, self, statement)
		}),
		patiently: async (ask) => {
			const asked = performance.now();
			try {
				return await within(PATIENCE, ask());
			} catch (error) {
				judge(storeFault(error).reason, asked);
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
