import { setTimeout as pause } from 'node:timers/promises';
import type { Options, Sql as Client } from 'postgres';
import type { ChangeFeed, StoreChange, UnbrokenSince } from '#lib/domain/sessions/change-feed.ts';
import type { SessionId, UserId } from '#lib/domain/ids.ts';
import type { DatabaseClock } from './database-clock.ts';
import { within } from './pool.ts';
import { setBack } from './set-back.ts';

/** Filled by the triggers of the migration `changes`. */
export const CHANNEL = 'postern_changes';

/** Milliseconds between two questions on the listening connection. */
const BEAT = 250;
/** How long, in milliseconds, after a question was asked its answer vouches for what was heard. */
const VOUCHES_FOR = 800;
/** A question that takes longer, in milliseconds, goes to a connection that is given up. */
const PATIENCE = 2000;
/** How far, in milliseconds, the ideas of two instances of the database's time may be apart. */
const DRIFT = 500;

export type ListeningOptions = Options<Record<string, never>> & {
	readonly onnotify: (channel: string, payload: string) => void;
};

export interface Pulse extends ChangeFeed {
	/** Lets go of the connection, whatever it is doing; takes a second at most. */
	stop(): Promise<void>;
}

export interface PulseDeps {
	readonly connect: (options: ListeningOptions) => Client;
	/** Any other connection to the same database, to hear whether one's own listening works. */
	readonly notify: (payload: string) => Promise<unknown>;
	readonly clock: DatabaseClock;
}

/**
 * A connection that only listens. It is asked for the time all the while: notifications arrive in
 * order, so an answer proves that none before the question is still to come, and it sets the clock.
 */
export const startPulse = ({ connect, notify, clock }: PulseDeps): Pulse => {
	const listeners: ((change: StoreChange) => void)[] = [];
	const stopped = new AbortController();
	let since: UnbrokenSince | null = null;
	const ahead = setBack(DRIFT);
	let lastAsked = -Infinity;
	let listening = new AbortController();

	const beat = async (client: Client): Promise<void> => {
		const sample = await askTime(client, PATIENCE);
		// Until the first answer it is the machine's time.
		if (lastAsked !== -Infinity) ahead.see(clock.now());
		clock.learn(sample);
		lastAsked = sample.asked;
		ahead.see(clock.now());
		since &&= { ...since, at: ahead.notBefore(since.at) };
	};

	/** Listens on one connection, and throws when that is lost: the driver's next one would not listen. */
	const listen = async (lost: AbortController): Promise<never> => {
		const greeting = `hello ${crypto.randomUUID()}`;
		const heard = Promise.withResolvers<string>();
		// It may be lost before anybody waits for that.
		heard.promise.catch(() => {});
		const client = connect({
			max: 1,
			max_lifetime: null,
			idle_timeout: 0,
			onclose: () => lost.abort(),
			onnotify: (_, payload) => {
				if (payload === greeting) return heard.resolve(payload);
				try {
					const change = readChange(payload, clock.now);
					if (change !== null) for (const tell of listeners) tell(change);
				} catch {
					// The driver would swallow it, and somebody has missed a change.
					lost.abort();
				}
			}
		});
		lost.signal.addEventListener('abort', () => {
			since = null;
			heard.reject(new Error('lost'));
			// Gently when it works, since the driver never closes a connection it is just making.
			void client.end({ timeout: stopped.signal.aborted ? 1 : 0 });
		});
		await within(PATIENCE, client.unsafe(`listen ${CHANNEL}`));
		await beat(client);
		// A pooler between us and the server accepts a LISTEN and forgets it. Then nothing is heard,
		// and nothing vouched for.
		await Promise.all([within(PATIENCE, notify(greeting)), within(PATIENCE, heard.promise)]);
		lost.signal.throwIfAborted();
		const at = new Date(clock.now().getTime() + DRIFT);
		since = { at: ahead.notBefore(at), tick: performance.now() };
		for (;;) {
			await pause(BEAT, undefined, { signal: lost.signal, ref: false });
			await beat(client);
		}
	};

	const run = async (): Promise<void> => {
		while (!stopped.signal.aborted) {
			listening = new AbortController();
			// Whoever needs the database notices and says so; here it is tried again.
			await listen(listening).catch(() => {});
			listening.abort();
			await pause(BEAT, undefined, { signal: stopped.signal, ref: false }).catch(() => {});
		}
	};
	const running = run();

	return {
		subscribe: (listener) => void listeners.push(listener),
		unbrokenSince: () => (performance.now() - lastAsked < VOUCHES_FOR ? since : null),
		stop: async () => {
			stopped.abort();
			listening.abort();
			await running;
		}
	};
};

/** Asks for the database's time; `patience` in milliseconds. */
export const askTime = async (
	client: Client,
	patience: number
): Promise<{ asked: number; answered: number; serverTime: number }> => {
	const asked = performance.now();
	const query = client<
		{ now: string }[]
	>`select extract(epoch from clock_timestamp()) * 1000 as now`;
	const [row] = await within(patience, query);
	return { asked, answered: performance.now(), serverTime: Number(row?.now) };
};

/** Lengths are checked by the pattern: no part of an oversized payload is ever kept. */
const CHANGE = /^(session|account) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/**
 * Any role of the database may send on the channel, without a permission on a table. So only the exact
 * words of our triggers count; null for anything else.
 */
export const readChange = (payload: string, now: () => Date): StoreChange | null => {
	const [, kind, id] = CHANGE.exec(payload) ?? [];
	if (id === undefined) return null;
	const at = new Date(now().getTime() + DRIFT);
	return kind === 'session'
		? { kind: 'session_ended', id: id as SessionId, at }
		: { kind: 'account_changed', id: id as UserId, at };
};
