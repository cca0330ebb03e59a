import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { percentile } from '../../bench/statistics.ts';
import { inBatches, times } from '../../tests/support/http/client.ts';
import { openDatabase } from '../../tests/support/http/database.ts';
import { openPostgres } from '#lib/adapters/postgres/open.ts';
import { asSystem } from '#lib/adapters/sql/events/record-event.ts';
import { sqlStores } from '#lib/adapters/sql/stores.ts';
import { openSqlite } from '#lib/adapters/sqlite/open.ts';
import type { Email } from '#lib/domain/email.ts';
import type { EventId, UserId } from '#lib/domain/ids.ts';
import { defaultPolicy } from '#lib/domain/policy.ts';
import type { Stores } from '#lib/domain/deps.ts';
import { ENGINES, newPostgresDatabase, timeOf, type Engine, type Measure } from './kit.ts';

// What operators and the daily task need with a million accounts, and ten events for each.
// `GROWTH=10000 npm run measure -- growth` measures with fewer accounts.

const ACCOUNTS = Number(process.env['GROWTH'] ?? 1_000_000);
const EVENTS = 10;
/** Events of the account with the most, which a flood adds in 90 days. */
const MOST = 4000;
const ROUNDS = 300;
const PAGE = 50;
/** In milliseconds: each blocks the other requests of a process on SQLite. */
const BOUND = 20;

const START = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;
/** The time between two events of the table. */
const STEP = (90 * DAY) / (ACCOUNTS * EVENTS);
const id = (kind: number, number: number): string =>
	`0190000${kind}-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;

/** What differs between the engines in the statements that fill the tables. */
const DIALECTS = {
	SQLite: {
		numbers: (count: number) =>
			`(with recursive r(n) as (select 0 union all select n + 1 from r where n < ${count - 1}) select n from r)`,
		id: (kind: number, number: string) =>
			`printf('0190000${kind}-0000-7000-8000-%012x', ${number})`,
		time: (text: string) => `cast(${text} as integer)`,
		yes: '1'
	},
	PostgreSQL: {
		numbers: (count: number) => `generate_series(0, ${count - 1}) as r(n)`,
		id: (kind: number, number: string) =>
			`('0190000${kind}-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`,
		time: (text: string) => `to_timestamp((${text}) / 1000.0)`,
		yes: 'true'
	}
} as const;

/** Accounts in the order of their email addresses, and events in the order of their times. */
const fill = async (engine: Engine, url: string): Promise<void> => {
	const { numbers, id, time, yes } = DIALECTS[engine];
	const database = openDatabase(url);
	const first = time(String(START));
	await database.rows(`insert into "user" (id, email, email_verified, name, created_at, updated_at)
		select ${id(1, 'n')}, 'person-' || (10000000 + n) || '@example.com', ${yes}, '', ${first}, ${first}
		from ${numbers(ACCOUNTS)}`);
	const addEvents = (kind: number, count: number, account: string): Promise<unknown> =>
		database.rows(`insert into event (id, user_id, kind, actor, at, request_id, ip_address, user_agent)
			select ${id(kind, 'n')}, ${id(1, account)}, 'signed_in', 'person', ${time(`${START} + n * ${STEP.toFixed(3)}`)},
				${kind === 2 ? `cast(${id(4, 'n')} as text)` : 'null'}, '203.0.113.0/24',
				'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
			from ${numbers(count)}`);
	await addEvents(2, ACCOUNTS * EVENTS, `n % ${ACCOUNTS}`);
	await addEvents(3, MOST, '0');
	await database.rows('analyze');
	await database.close();
};

const random = (below: number): number => Math.floor(Math.random() * below);
const person = (number: number): Email => `person-${10_000_000 + number}@example.com` as Email;

const works = ({
	events,
	operators
}: Stores): Readonly<Record<string, (n: number) => Promise<unknown>>> => {
	const busiest = id(1, 0) as UserId;
	const middle = id(3, MOST / 2) as EventId;
	const since = (round: number): Date => new Date(START + round * STEP * defaultPolicy.prune.batch);
	const hour = new Date(START);
	return {
		'a page of accounts, anywhere': () =>
			operators.list({ prefix: '', after: person(random(ACCOUNTS)), limit: PAGE }),
		'a page of accounts by prefix': () =>
			operators.list({ prefix: person(random(ACCOUNTS)).slice(0, 11), after: null, limit: PAGE }),
		'the events of an account': () => events.pageOf(id(1, random(ACCOUNTS)) as UserId, null, PAGE),
		'a page in the middle of 4,000 events': () => events.pageOf(busiest, middle, PAGE),
		'storing an event': () =>
			asSystem({ now: () => hour }, () =>
				events.record(id(1, random(ACCOUNTS)) as UserId, 'opened')
			),
		'storing 25 hourly counts': () => {
			const first = random(ACCOUNTS - 25);
			const counted = { kind: 'code_refused', hour, count: 1 } as const;
			const emails = Array.from({ length: 25 }, (_, index) => person(first + index));
			return events.addCodeCounts(emails.map((email) => ({ ...counted, email })));
		},
		'pruning 50 events': (round) => events.prune(since(round + 1), defaultPolicy.prune.batch)
	};
};

export const growth: Measure = async (report) => {
	for (const engine of ENGINES) {
		const folder = mkdtempSync(join(tmpdir(), 'postern-growth-'));
		try {
			const isFile = engine === 'SQLite';
			const url = isFile ? `file:${join(folder, 'postern.db')}` : await newPostgresDatabase();
			const open = () => (isFile ? openSqlite(url) : openPostgres(url));
			await (await open()).close();
			await fill(engine, url);
			const database = await open();
			for (const [what, work] of Object.entries(works(sqlStores(database)))) {
				const took = await inBatches(times(ROUNDS, Number), 1, (round) =>
					timeOf(() => work(round))
				);
				const [median, p99] = [percentile(took, 0.5), percentile(took, 0.99)];
				report({
					what: `${what}, ${ACCOUNTS} accounts, ${engine}`,
					measured: `median ${median.toFixed(2)} ms, p99 ${p99.toFixed(1)} ms`,
					bound: `p99 ${BOUND} ms`,
					isMet: p99 <= BOUND
				});
			}
			await database.close();
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	}
};
