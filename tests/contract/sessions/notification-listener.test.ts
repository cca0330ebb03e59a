import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import postgres, { type Sql as Client } from 'postgres';
import { afterAll, beforeAll, describe, expect, inject, it, type TestContext } from 'vitest';
import { databaseClock } from '#lib/adapters/postgres/database-clock.ts';
import { connectionOptions } from '#lib/adapters/postgres/pool.ts';
import {
	CHANNEL,
	startNotificationListener,
	type ListeningOptions,
	type NotificationListener
} from '#lib/adapters/postgres/notification-listener.ts';
import type { Revoked } from '#lib/domain/sessions/ports.ts';
import { openTcpGate, type TcpGate } from '../../support/process/tcp.ts';
import { naiveFeed } from '../twins/change-feed.ts';
import { createDatabase, dropDatabase } from '../../support/postgres/cluster.ts';

/** The longest time without an answer until the listener stops being reliable, in milliseconds. */
const TIMEOUT = 20_000;

/**
 * Polls until the condition holds; the cases run concurrently, and only one could use
 * `expect.poll`.
 */
const until = async <T>(read: () => T | Promise<T>, isSo: (seen: T) => boolean): Promise<T> => {
	const end = performance.now() + TIMEOUT;
	for (;;) {
		const seen = await read();
		if (isSo(seen)) return seen;
		if (performance.now() > end) {
			throw new Error(`still ${JSON.stringify(seen)} after ${TIMEOUT} ms`);
		}
		await pause(5);
	}
};

let listeners = 0;

interface Listening {
	readonly listener: NotificationListener;
	readonly gate: TcpGate;
	/** The number of its connection attempts. */
	readonly tries: () => number;
	/** The sessions of this case that it reported as ended, in order. */
	readonly received: () => readonly string[];
	/** Sends a notification, as the triggers do, unless it does not listen. */
	end(session: string): Promise<unknown>;
	/** The id of this session in `end`. */
	idOf(session: string): string;
	/** Its connections, as the database lists them. */
	connections(): Promise<readonly number[]>;
}

describe.concurrent('the notification listener of PostgreSQL', () => {
	let url: string;
	let direct: Client;
	beforeAll(async () => {
		url = await createDatabase(inject('postgresUrl'));
		direct = postgres(url, { max: 2, onnotice: () => {} });
	});
	afterAll(async () => {
		await direct.end();
		await dropDatabase(inject('postgresUrl'), url);
	});

	/**
	 * Starts a listener behind its own gate. `through` can change how its client behaves.
	 */
	const start = async (
		{ onTestFinished }: TestContext,
		through: (client: Client) => void = () => {}
	): Promise<Listening> => {
		const gate = await openTcpGate(Number(new URL(url).port));
		const gated = new URL(url);
		gated.port = String(gate.port);
		const name = `listener-${(listeners += 1)}`;
		let tries = 0;
		const listener = startNotificationListener({
			connect: (options: ListeningOptions) => {
				tries += 1;
				const { connection } = connectionOptions;
				const client = postgres(gated.href, {
					...connectionOptions,
					...options,
					connection: { ...connection, application_name: name }
				});
				through(client);
				return client;
			},
			notify: (payload) => direct.notify(CHANNEL, payload),
			clock: databaseClock()
		});
		const changes: Revoked[] = [];
		listener.subscribe((id) => changes.push(id));
		const ids = new Map<string, string>();
		const idOf = (session: string): string => {
			const id = ids.get(session) ?? randomUUID();
			ids.set(session, id);
			return id;
		};
		onTestFinished(async () => {
			await listener.stop();
			await gate.shut();
		});
		return {
			listener,
			gate,
			tries: () => tries,
			received: () =>
				changes.flatMap((id) => [...ids].filter(([, one]) => one === id).map(([own]) => own)),
			end: (session) => direct.notify(CHANNEL, `session ${idOf(session)}`),
			idOf,
			connections: async () => {
				const rows = await direct<{ pid: number }[]>`
					select pid from pg_stat_activity where application_name = ${name}`;
				return rows.map(({ pid }) => pid);
			}
		};
	};
	const since = ({ listener }: Listening): number | null => listener.reliableSince();
	const untilReliable = async (listening: Listening, later = 0): Promise<number> =>
		Number(
			await until(
				() => since(listening),
				(at) => at !== null && at > later
			)
		);
	const untilUnreliable = (listening: Listening) =>
		until(
			() => since(listening),
			(at) => at === null
		);
	const untilReceived = ({ received }: Listening, ...sessions: readonly string[]) =>
		until(received, (seen) => isDeepStrictEqual(seen, sessions));
	const untilTriedAgain = ({ tries }: Listening) => until(tries, (count) => count > 1);

	it('is not reliable before the first contact', async (context) => {
		const listening = await start(context);
		expect(since(listening)).toBeNull();
		const first = await untilReliable(listening);
		expect(first).toBeGreaterThan(performance.now() - 5000);
	});

	it('E06: when cut off it stops being reliable, and afterwards covers later reads only', async (context) => {
		const listening = await start(context);
		const before = await untilReliable(listening);
		await listening.gate.shut();
		await untilUnreliable(listening);
		await listening.end('missed');
		const missedAt = performance.now();
		await listening.gate.open();
		await untilReliable(listening, Math.max(before, missedAt));
		expect(listening.received()).toEqual([]);
		await listening.end('later');
		await untilReceived(listening, 'later');
	});

	it('E06: with a silent open connection it stops being reliable', async (context) => {
		const listening = await start(context);
		const before = await untilReliable(listening);
		listening.gate.freeze();
		await untilUnreliable(listening);
		await listening.end('held-up');
		listening.gate.thaw();
		// The connection may have closed or only have been delayed. Either the change arrives or
		// earlier entries are not covered.
		const after = await untilReliable(listening);
		if (after === before) await untilReceived(listening, 'held-up');
		else expect(after).toBeGreaterThan(before);
	});

	it('E06: a connection that stays silent is given up, and another one listens', async (context) => {
		const listening = await start(context);
		const before = await untilReliable(listening);
		listening.gate.freeze();
		await untilTriedAgain(listening);
		expect(since(listening)).toBeNull();
		listening.gate.thaw();
		await untilReliable(listening, before);
		await listening.end('later');
		await untilReceived(listening, 'later');
	});

	it('E06: a terminated backend is replaced, and the new one covers later reads only', async (context) => {
		const listening = await start(context);
		const before = await untilReliable(listening);
		const [pid] = await listening.connections();
		await direct`select pg_terminate_backend(${pid ?? 0})`;
		await untilUnreliable(listening);
		await untilReliable(listening, before);
		expect(await listening.connections()).toHaveLength(1);
		await listening.end('later');
		await untilReceived(listening, 'later');
	});

	it('E06: behind a pooler that drops LISTEN it does not become reliable', async (context) => {
		const listening = await start(context, (client) => {
			const unsafe = client.unsafe.bind(client);
			client.unsafe = ((text: string) => unsafe(`${text}; unlisten *`)) as typeof unsafe;
		});
		// Until it has given up the first attempt.
		while (listening.tries() < 2) {
			expect(since(listening)).toBeNull();
			await pause(10);
		}
	});

	it('after a subscriber throws it may have missed changes, so earlier reads are not covered', async (context) => {
		const listening = await start(context);
		const before = await untilReliable(listening);
		const poison = listening.idOf('poison');
		listening.listener.subscribe((id) => {
			if (id === poison) throw new Error('no');
		});
		await listening.end('poison');
		await untilReliable(listening, before);
	});

	const states: Record<string, (context: TestContext) => Promise<Listening>> = {
		listens: async (context) => {
			const listening = await start(context);
			await untilReliable(listening);
			return listening;
		},
		connects: (context) => start(context),
		'waits for an answer': async (context) => {
			const listening = await start(context);
			await untilReliable(listening);
			listening.gate.freeze();
			await untilUnreliable(listening);
			return listening;
		},
		'waits for its own greeting': (context) =>
			start(context, (client) => {
				const unsafe = client.unsafe.bind(client);
				client.unsafe = (() => unsafe('select 1')) as typeof unsafe;
			}),
		'retries after refused connections': async (context) => {
			const listening = await start(context);
			await listening.gate.shut();
			await untilTriedAgain(listening);
			await listening.gate.open();
			return listening;
		}
	};
	it.for(Object.keys(states))(
		'stops while it %s, and leaves no connection',
		async (state, context) => {
			const listening = await states[state]?.(context);
			if (listening === undefined) throw new Error('no such state');
			await listening.listener.stop();
			expect(since(listening)).toBeNull();
			const tries = listening.tries();
			listening.gate.thaw();
			await until(listening.connections, ({ length }) => length === 0);
			expect(listening.tries()).toBe(tries);
		}
	);

	// Q09: the cases above detect a listener that only reconnects.
	it('E06: a naive twin stays reliable after missed changes', async ({ onTestFinished }) => {
		const gate = await openTcpGate(Number(new URL(url).port));
		const gated = new URL(url);
		gated.port = String(gate.port);
		const naive = await naiveFeed(postgres(gated.href, { ...connectionOptions, max: 1 }));
		onTestFinished(async () => {
			await naive.stop();
			await gate.shut();
		});
		const received: string[] = [];
		naive.subscribe((id) => received.push(id));
		const end = (id: string): Promise<unknown> => direct.notify(CHANNEL, `session ${id}`);
		const [before, missed, after] = [randomUUID(), randomUUID(), randomUUID()];
		const readAt = performance.now();
		await end(before);
		await until(
			() => received,
			(ids) => ids.includes(before)
		);

		await gate.shut();
		await end(missed);
		await gate.open();
		// It receives changes again, but cannot report the missed one.
		await until(
			async () => {
				await end(after);
				return received;
			},
			(ids) => ids.includes(after)
		);
		expect(received).not.toContain(missed);
		expect(naive.reliableSince()).toBeLessThanOrEqual(readAt);
	});
});
