import { setTimeout as pause } from 'node:timers/promises';
import type { Options, Sql as Client } from 'postgres';
import type { ChangeFeed, Revoked } from '#lib/domain/sessions/ports.ts';
import type { DatabaseClock, TimeSample } from './database-clock.ts';
import { within } from './pool.ts';

/** The triggers at the end of the first migration send on this channel. */
export const CHANNEL = 'postern_changes';

/** Between two time queries on the listening connection. */
const INTERVAL_MS = 250;
/** How long after the start of an answered time query the notifications count as complete. */
const COMPLETE_FOR_MS = 800;
/** A connection whose time query takes longer is closed. */
const LISTEN_TIMEOUT_MS = 2000;

export type ListeningOptions = Options<Record<string, never>> & {
	readonly onnotify: (channel: string, payload: string) => void;
};

export interface NotificationListener extends ChangeFeed {
	/** Closes the connection, whatever its state. Takes a second at most. */
	stop(): Promise<void>;
}

interface NotificationListenerDeps {
	readonly connect: (options: ListeningOptions) => Client;
	/** Sends on another connection to the same database, to check that listening works. */
	readonly notify: (payload: string) => Promise<unknown>;
	readonly clock: DatabaseClock;
}

/**
 * A connection that only listens. It keeps querying the database's time. Notifications and answers
 * arrive in order, so with an answer, all earlier notifications have arrived. It also sets the clock.
 */
export const startNotificationListener = ({
	connect,
	notify,
	clock
}: NotificationListenerDeps): NotificationListener => {
	const listeners: ((id: Revoked) => void)[] = [];
	const stopped = new AbortController();
	let since: number | null = null;
	let lastSentAt = -Infinity;
	let listening = new AbortController();

	const syncClock = async (client: Client): Promise<void> => {
		const sample = await queryTime(client, LISTEN_TIMEOUT_MS);
		clock.learn(sample);
		lastSentAt = sample.sentAt;
	};

	/** Listens on one connection. Throws when it is lost: the driver's next one would not listen. */
	const listen = async (lost: AbortController): Promise<never> => {
		const greeting = `hello ${crypto.randomUUID()}`;
		const heard = Promise.withResolvers<string>();
		// The promise can be rejected before anything awaits it.
		heard.promise.catch(() => {});
		const client = connect({
			max: 1,
			max_lifetime: null,
			idle_timeout: 0,
			onclose: () => lost.abort(),
			onnotify: (_, payload) => {
				if (payload === greeting) return heard.resolve(payload);
				try {
					const id = readChange(payload);
					if (id !== null) for (const notifyListener of listeners) notifyListener(id);
				} catch {
					// The driver would ignore the error, but a listener has missed a change.
					lost.abort();
				}
			}
		});
		lost.signal.addEventListener('abort', () => {
			since = null;
			heard.reject(new Error('lost'));
			// Not at once: the driver never closes a connection that it is still opening.
			void client.end({ timeout: stopped.signal.aborted ? 1 : 0 });
		});
		await within(LISTEN_TIMEOUT_MS, client.unsafe(`listen ${CHANNEL}`));
		await syncClock(client);
		// A pooler in between can accept a LISTEN and forget it. Then no greeting arrives.
		await Promise.all([
			within(LISTEN_TIMEOUT_MS, notify(greeting)),
			within(LISTEN_TIMEOUT_MS, heard.promise)
		]);
		lost.signal.throwIfAborted();
		since = performance.now();
		for (;;) {
			await pause(INTERVAL_MS, undefined, { signal: lost.signal, ref: false });
			await syncClock(client);
		}
	};

	const run = async (): Promise<void> => {
		while (!stopped.signal.aborted) {
			listening = new AbortController();
			// Queries report their own errors. This loop only reconnects.
			await listen(listening).catch(() => {});
			listening.abort();
			await pause(INTERVAL_MS, undefined, { signal: stopped.signal, ref: false }).catch(() => {});
		}
	};
	const running = run();

	return {
		subscribe: (listener) => void listeners.push(listener),
		reliableSince: () => (performance.now() - lastSentAt < COMPLETE_FOR_MS ? since : null),
		stop: async () => {
			stopped.abort();
			listening.abort();
			await running;
		}
	};
};

/** Queries the database's time. `timeout` is in milliseconds. */
export const queryTime = async (client: Client, timeout: number): Promise<TimeSample> => {
	const sentAt = performance.now();
	const query = client<
		{ now: string }[]
	>`select extract(epoch from clock_timestamp()) * 1000 as now`;
	const [row] = await within(timeout, query);
	return { sentAt, receivedAt: performance.now(), serverTime: Number(row?.now) };
};

/** The pattern limits the length, so no part of an oversized payload is kept. */
const CHANGE = /^(?:session|account) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/**
 * Any role of the database can send on the channel, without a permission on a table. So only the
 * exact text of our triggers is accepted. Null for anything else.
 */
export const readChange = (payload: string): Revoked | null =>
	(CHANGE.exec(payload)?.[1] as Revoked | undefined) ?? null;
