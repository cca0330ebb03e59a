import type { Options, Sql as Client } from 'postgres';
import { StoreUnavailable } from '#lib/domain/errors.ts';
import { storeFault } from '../sql/sql.ts';
import { sessionSettings } from './connect.ts';

/**
 * After this long the server ends a statement or an idle transaction. An unauthenticated page runs
 * two queries, one for the session and one for its work, within five seconds.
 */
const STATEMENT_TIMEOUT_MS = 2000;
/** The request fails after this time when the server does not end the statement. */
const REQUEST_TIMEOUT_MS = 2300;
const NO_ANSWER = 'NO_ANSWER';
/**
 * The codes of a connection that broke while it was sending. The driver reconnects it with the unsent
 * bytes still queued, and it never sends anything again (porsager/postgres#1208).
 */
const BROKEN: readonly string[] = ['CONNECTION_CLOSED', 'ECONNRESET', 'EPIPE', 'CONNECT_TIMEOUT'];
const READ_ONLY = '25006';
/** The pause between two replacements of read-only connections. */
const READ_ONLY_PAUSE_MS = 1000;
/** The number of connections, not counting the one that listens. */
const POOL_SIZE = 10;

/**
 * The driver's own delays grow to 20 s. Requests would fail for that long after the server is back.
 * Only a request begins an attempt, so a short delay makes no loop.
 */
const RECONNECT_AFTER_S = 0.01;
/** Shorter than `REQUEST_TIMEOUT_MS`, so that a queued request gets the connection error. */
const CONNECT_TIMEOUT_S = 2;
/** How long queries on the intact connections of an earlier pool may still run. */
const GRACE_S = 2;
/**
 * If a pool ends while one of its connections waits for its next attempt, the driver still makes that
 * attempt and keeps the connection. Nothing uses it, so it ends after this time.
 */
const IDLE_TIMEOUT_S = 20;

export const connectionOptions = {
	connect_timeout: CONNECT_TIMEOUT_S,
	idle_timeout: IDLE_TIMEOUT_S,
	backoff: () => RECONNECT_AFTER_S,
	fetch_types: false,
	onnotice: () => {},
	connection: {
		...sessionSettings,
		statement_timeout: STATEMENT_TIMEOUT_MS,
		idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS
	}
} as const satisfies Options<Record<string, never>>;

interface Pool {
	/** The driver's client. It always uses the current pool. */
	readonly client: Client;
	/**
	 * Waits for as long as a request may, then throws `StoreUnavailable`. A transaction calls
	 * `onAnswer` after each of its statements.
	 */
	withinTimeout<T>(query: (onAnswer: () => void) => PromiseLike<T>): Promise<T>;
	close(): Promise<void>;
}

/**
 * A pool that replaces its connections when the server stops responding. A server that neither
 * answers nor ends a statement in time is frozen or unreachable. Queued statements must not reach
 * it later, and connections that the network lost would go unnoticed for a quarter of an hour. A
 * transaction whose statements get their answers is only slow: it fails alone, unless others wait so
 * long for its connection that they count as unanswered.
 *
 * The pool also replaces its connections after a failover. A connection can stay read-only when
 * the server accepts writes again, or when another server has taken over its name. Only a new
 * connection finds out.
 */
export const openPool = (connect: (options: { max: number }) => Client): Pool => {
	let current = connect({ max: POOL_SIZE });
	let openedAt = performance.now();

	/** Queries on the earlier connections get `timeout` seconds to finish. */
	const replace = (timeout: number): void => {
		const earlier = current;
		current = connect({ max: POOL_SIZE });
		openedAt = performance.now();
		void earlier.end({ timeout });
	};
	const replaceOnFault = (fault: string, startedAt: number): void => {
		// A query of an earlier pool says nothing about the current one.
		if (startedAt < openedAt) return;
		if (fault === NO_ANSWER) replace(0);
		// Queries on the intact connections can still finish.
		else if (BROKEN.includes(fault)) replace(GRACE_S);
		else if (fault === READ_ONLY && startedAt >= openedAt + READ_ONLY_PAUSE_MS) replace(GRACE_S);
	};
	return {
		client: new Proxy(current, {
			get: (_, name): unknown => Reflect.get(current, name),
			apply: (_, self, statement): unknown => Reflect.apply(current, self, statement)
		}),
		withinTimeout: (query) => {
			const startedAt = performance.now();
			// Resolved once: each `then` of a query builder would run the statement again.
			const answer = Promise.resolve(query(() => silence.refresh()));
			// Keeps watching after the request has failed, until the transaction ends. It comes before the
			// time limit, so whatever runs after the failed request finds the new connections.
			const silence = setTimeout(() => replaceOnFault(NO_ANSWER, startedAt), REQUEST_TIMEOUT_MS);
			const inTime = within(REQUEST_TIMEOUT_MS, answer);
			void answer
				.catch((error: unknown) => replaceOnFault(storeFault(error).reason, startedAt))
				.finally(() => clearTimeout(silence));
			return inTime;
		},
		close: () => current.end({ timeout: 2 })
	};
};

export const within = async <T>(timeout: number, answer: PromiseLike<T>): Promise<T> => {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(new StoreUnavailable(NO_ANSWER)), timeout);
	});
	try {
		return await Promise.race([answer, late]);
	} finally {
		clearTimeout(timer);
	}
};
