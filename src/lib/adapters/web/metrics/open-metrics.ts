import type { OutboxRows } from '#lib/domain/delivery/ports.ts';
import type { Log, LogFields } from '#lib/domain/ports.ts';
import type { Stores } from '#lib/domain/deps.ts';
import { wrapMethods } from '#lib/domain/stores.ts';
import type { Clock } from '#lib/domain/time.ts';
import { isSameSecret } from '../http/request-headers.ts';
import { webmailOf } from '../sign-in/webmail.ts';

/** Numbers about this process for Prometheus. They come from the log and from the stores. */
export type Metrics = NonNullable<Awaited<ReturnType<typeof openMetrics>>>;

interface MetricsDeps {
	readonly clock: Clock;
	/** Called for each request of the numbers, as `cachedSessions` is. */
	readonly backlog: OutboxRows['backlog'];
	readonly cachedSessions: () => number;
}

/** A code lives for ten minutes. */
const ENTRY_BUCKETS_S = [5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600];
/** A lookup on SQLite takes some microseconds. */
const STORE_BUCKETS_S = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 2.5];

/**
 * Every label has few values: the ids of routes, statuses, names of events, codes of errors and
 * operations in our code, and a fixed list of mail providers.
 */
export const openMetrics = async (token: string | null, deps: MetricsDeps) => {
	if (token === null) return null;
	// Imported here, so that an installation without metrics does not load the library.
	const { Registry, Counter, Gauge, Histogram, collectDefaultMetrics } =
		await import('prom-client');
	const registry = new Registry();
	const named = (name: string, help: string) => ({ name, help, registers: [registry] });
	// Processor time, memory, garbage collection and the delay of the event loop.
	collectDefaultMetrics({ register: registry });
	const requests = new Histogram({
		...named('http_request_duration_seconds', 'Seconds until the response to a request.'),
		labelNames: ['route', 'status']
	});
	const events = new Counter({
		...named('postern_events_total', 'Lines of the log other than requests, by what they say.'),
		labelNames: ['event', 'outcome', 'provider']
	});
	const entrySeconds = new Histogram({
		...named('postern_code_entry_seconds', 'Seconds from the send of a code to its entry.'),
		labelNames: ['provider'],
		buckets: ENTRY_BUCKETS_S
	});
	const storeSeconds = new Histogram({
		...named('postern_store_duration_seconds', 'Seconds that an operation of the database took.'),
		labelNames: ['operation'],
		buckets: STORE_BUCKETS_S
	});
	const waiting = new Gauge(named('postern_outbox_emails', 'Emails that are still to be sent.'));
	const oldest = new Gauge(
		named('postern_outbox_oldest_seconds', 'The age of the oldest of them. 0 if there is none.')
	);
	const cached = new Gauge(
		named('postern_cached_sessions', 'Sessions in the cache of this process.')
	);

	const count = (name: string, fields: LogFields = {}): void => {
		if (name === 'request') {
			const { route, status, milliseconds } = fields;
			const labels = { route: String(route ?? 'none'), status: Number(status ?? 500) };
			return requests.observe(labels, Number(milliseconds) / 1000);
		}
		const { outcome, email, secondsSinceSend } = fields;
		const byProvider = email === undefined ? {} : { provider: mailboxProviderOf(email) };
		events.inc({ event: name, ...(outcome && { outcome: String(outcome) }), ...byProvider });
		if (typeof secondsSinceSend === 'number') entrySeconds.observe(byProvider, secondsSinceSend);
	};

	return {
		isAuthorised: (header: string | null): boolean => {
			const [, given = ''] = /^bearer +(\S+)$/i.exec(header ?? '') ?? [];
			return isSameSecret(given, token);
		},
		counted: (log: Log): Log => ({
			event: (name, fields) => {
				log.event(name, fields);
				count(name, fields);
			},
			fault: (where, fault, fields) => {
				log.fault(where, fault, fields);
				count('fault');
			}
		}),
		timed: (stores: Stores): Stores =>
			wrapMethods(stores, (run, store, name) => async (...input) => {
				const end = storeSeconds.startTimer({ operation: `${store}.${name}` });
				return run(...input).finally(end);
			}),
		text: async (): Promise<string> => {
			// Null without the database: the other numbers then matter most.
			const known = await deps.backlog().catch(() => null);
			const now = deps.clock.now().getTime();
			waiting.set(known?.waiting ?? NaN);
			oldest.set(known === null ? NaN : (now - (known.oldest?.getTime() ?? now)) / 1000);
			cached.set(deps.cachedSessions());
			return registry.metrics();
		},
		contentType: registry.contentType
	};
};

/** The name of a large provider, by the domain of a masked email address. */
const mailboxProviderOf = (masked: LogFields[string]): string =>
	webmailOf(String(masked).toLowerCase())?.name ?? 'other';
