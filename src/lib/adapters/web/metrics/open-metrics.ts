import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Backlog, OutboxRows } from '#lib/domain/outbox.ts';
import type { Stores } from '#lib/domain/stores.ts';
import type { Clock } from '#lib/domain/time.ts';
import type { Monotonic } from '../edge/session/freshness.ts';
import { inboxOf } from '../sign-in/pending-code.ts';

type Fields = Readonly<Record<string, string | number | boolean | null>>;

/** Numbers about this process for Prometheus. They are made from the log and from the stores. */
export interface Metrics {
	/** Whether this `Authorization` header has the token of the operator. */
	isAuthorised(header: string | null): boolean;
	/** Counts an event of the log. */
	count(name: string, fields?: Fields): void;
	/** The same stores. Each operation is timed. */
	timed(stores: Stores): Stores;
	/** All numbers in the text format of Prometheus. */
	text(): Promise<string>;
	readonly contentType: string;
}

interface MetricsDeps {
	readonly clock: Clock;
	readonly monotonic: Monotonic;
	/** Read whenever the numbers are requested, like the next one. */
	readonly backlog: OutboxRows['backlog'];
	readonly cachedSessions: () => number;
}

/** The events of the log that are about codes and links, with the flow that they belong to. */
const SENDS: Readonly<Record<string, string>> = {
	code_requested: 'sign_in',
	email_change_requested: 'email_change'
};
const ENTRIES: Readonly<Record<string, string>> = {
	code_entered: 'sign_in',
	code_checked: 'check',
	email_verified: 'email_verification',
	email_change_confirmed: 'email_change'
};

/** In seconds. A code lives for ten minutes. */
const ENTRY_BUCKETS = [5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600];
/** In seconds. A lookup on SQLite takes some microseconds. */
const STORE_BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 2.5];

/**
 * Every label has few values: the ids of routes, statuses, codes of errors, names of events and
 * operations in our code, and a fixed list of mail providers.
 */
export const openMetrics = async (token: string, deps: MetricsDeps): Promise<Metrics> => {
	// Imported here, so that an installation without metrics does not load the library.
	const { Registry, Counter, Gauge, Histogram, collectDefaultMetrics } =
		await import('prom-client');
	const registry = new Registry();
	const registers = [registry];
	// Processor time, memory, garbage collection and the delay of the event loop.
	collectDefaultMetrics({ register: registry });
	const requests = new Histogram({
		name: 'http_request_duration_seconds',
		help: 'Requests and the time until their response, by route and status.',
		labelNames: ['route', 'status'],
		registers
	});
	const events = new Counter({
		name: 'postern_events_total',
		help: 'Lines of the log other than requests, by event.',
		labelNames: ['event'],
		registers
	});
	const sends = new Counter({
		name: 'postern_code_sends_total',
		help: 'Codes and links that were requested, by outcome: ok, or why none was sent.',
		labelNames: ['flow', 'outcome', 'provider'],
		registers
	});
	const entries = new Counter({
		name: 'postern_code_entries_total',
		help: 'Codes that were entered, by outcome: ok, or what was wrong.',
		labelNames: ['flow', 'outcome', 'provider'],
		registers
	});
	const entrySeconds = new Histogram({
		name: 'postern_code_entry_seconds',
		help: 'Seconds from the send of a code to its entry, by mail provider.',
		labelNames: ['provider'],
		buckets: ENTRY_BUCKETS,
		registers
	});
	const storeSeconds = new Histogram({
		name: 'postern_store_duration_seconds',
		help: 'Seconds that an operation of the database took.',
		labelNames: ['operation'],
		buckets: STORE_BUCKETS,
		registers
	});
	/** Read once for both numbers. Null without the database: the other numbers then matter most. */
	let backlog: Promise<Backlog | null> = Promise.resolve(null);
	new Gauge({
		name: 'postern_outbox_emails',
		help: 'Emails in the outbox that are still to be sent.',
		registers,
		async collect() {
			this.set((await backlog)?.waiting ?? NaN);
		}
	});
	new Gauge({
		name: 'postern_outbox_oldest_seconds',
		help: 'The age of the oldest email in the outbox. 0 if it is empty.',
		registers,
		async collect() {
			const known = await backlog;
			const now = deps.clock.now();
			this.set(known === null ? NaN : secondsBetween(known.oldest ?? now, now));
		}
	});
	new Gauge({
		name: 'postern_cached_sessions',
		help: 'Sessions in the cache of this process.',
		registers,
		collect() {
			this.set(deps.cachedSessions());
		}
	});

	const observeCode = (name: string, { outcome, email, secondsSinceSend }: Fields): void => {
		const provider = providerOf(email);
		const labels = { outcome: String(outcome), provider };
		if (SENDS[name]) sends.inc({ flow: SENDS[name], ...labels });
		if (ENTRIES[name]) entries.inc({ flow: ENTRIES[name], ...labels });
		if (typeof secondsSinceSend === 'number') entrySeconds.observe({ provider }, secondsSinceSend);
	};

	return {
		isAuthorised: bearerCheck(token),
		count: (name, fields = {}) => {
			if (name === 'request') {
				const { route, status, milliseconds } = fields;
				const labels = { route: String(route ?? 'none'), status: Number(status ?? 500) };
				return requests.observe(labels, Number(milliseconds) / 1000);
			}
			events.inc({ event: name });
			if (name in SENDS || name in ENTRIES) observeCode(name, fields);
		},
		timed: (stores) =>
			timedStores(stores, deps.monotonic, (operation, seconds) =>
				storeSeconds.observe({ operation }, seconds)
			),
		text: () => {
			backlog = deps.backlog().catch(() => null);
			return registry.metrics();
		},
		contentType: registry.contentType
	};
};

const secondsBetween = (earlier: Date, later: Date): number =>
	(later.getTime() - earlier.getTime()) / 1000;

/** Compares digests under a random key, whose timing tells nothing about the token. */
const bearerCheck = (token: string): Metrics['isAuthorised'] => {
	const key = randomBytes(32);
	const digest = (text: string): Buffer => createHmac('sha256', key).update(text).digest();
	const expected = digest(token);
	return (header) => {
		const [, given = ''] = /^bearer +(\S+)$/i.exec(header ?? '') ?? [];
		return timingSafeEqual(digest(given), expected);
	};
};

/** The name of a large provider, by the domain of a masked email address. */
const providerOf = (masked: Fields[string] | undefined): string =>
	inboxOf(String(masked).toLowerCase())?.name ?? 'other';

type Operation = (...input: unknown[]) => Promise<unknown>;

const timedStores = (
	stores: Stores,
	monotonic: Monotonic,
	observe: (operation: string, seconds: number) => void
): Stores => {
	const timed = (store: string, port: object): object =>
		new Proxy(port, {
			get: (target, name): Operation => {
				const operation = Reflect.get(target, name) as Operation;
				return async (...input) => {
					const began = monotonic();
					try {
						return await operation.apply(target, input);
					} finally {
						observe(`${store}.${String(name)}`, (monotonic() - began) / 1000);
					}
				};
			}
		});
	const all = Object.entries(stores).map(([name, port]) => [name, timed(name, port as object)]);
	return Object.fromEntries(all) as Stores;
};
