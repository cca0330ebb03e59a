import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { connectWithRetries, refusePoolers } from '#lib/adapters/postgres/connect-with-retries.ts';
import { connectorTo } from '#lib/adapters/postgres/connect.ts';
import { fillPostgres } from '#lib/adapters/postgres/fill.ts';
import { openPostgres } from '#lib/adapters/postgres/open.ts';
import { connectionOptions } from '#lib/adapters/postgres/pool.ts';
import { createDatabase, dropDatabase, onPostgres } from '../../support/postgres/cluster.ts';
import { forgetfulPooler, pgbouncer, refusingServer, startPgbouncer } from './pooler-servers.ts';
import { startFault } from '../../support/process/instance.ts';

const { connection } = connectionOptions;

/** Other values than those of Postern. With the same ones, a pooler may ignore the settings. */
const OTHERS: Record<keyof typeof connection, string> = {
	application_name: `'other'`,
	default_transaction_isolation: `'serializable'`,
	DateStyle: 'German',
	TimeZone: `'Asia/Kathmandu'`,
	statement_timeout: `'7s'`,
	idle_in_transaction_session_timeout: `'7s'`
};

const refusal = (why: string): string =>
	`DATABASE_URL: it leads to a connection pooler, which ${why}. Connect to PostgreSQL directly`;
const REFUSED = refusal('refuses connections with the settings of Postern (08P01)');
const SHARED = refusal('does not keep a session for each connection');

/** Everything that opens a database at its start. */
const openers: readonly (readonly [string, (url: string) => Promise<unknown>])[] = [
	['the server', (url) => openPostgres(url)],
	['a copy', (url) => fillPostgres(url, async () => null)]
];

let url: string;
beforeAll(async () => {
	url = await createDatabase(inject('postgresUrl'));
});
afterAll(() => dropDatabase(inject('postgresUrl'), url));

/** Runs a statement on the database, whose name it gets. */
const onDatabase = (statement: (name: string) => string) =>
	onPostgres(url, statement(`"${new URL(url).pathname.slice(1)}"`));

const behind = (port: number): string => {
	const there = new URL(url);
	there.port = String(port);
	return there.href;
};

/** Whether something has created a table or a schema. */
const isMigrated = async (): Promise<boolean> =>
	(await onDatabase(() => `select 1 from pg_namespace where nspname = 'drizzle'`)).length > 0;

describe('a connection pooler', () => {
	it.each(openers)('S06: that refuses settings is named and not used by %s', async (_, open) => {
		const server = await refusingServer({
			code: '08P01',
			message: 'unsupported startup parameter: statement_timeout'
		});
		expect(await startFault(open(behind(server.port)))).toBe(REFUSED);
		await server.stop();
	});

	it.each(Object.entries(OTHERS))(
		'S06: that ignores %s is named and not used',
		async (name, value) => {
			await onDatabase((database) => `alter database ${database} set ${name} = ${value}`);
			const pooler = await forgetfulPooler(Number(new URL(url).port), [name]);
			expect(await startFault(openPostgres(behind(pooler.port)))).toBe(
				refusal(`does not pass on the setting ${name}`)
			);
			await pooler.stop();
			await onDatabase((database) => `alter database ${database} reset ${name}`);
			expect(await isMigrated()).toBe(false);
		}
	);

	it('S06: that spreads one client over several sessions is named', async () => {
		// As a pool of connections, the driver is such a pooler.
		const pool = postgres(url, { max: 3, connection });
		expect(await startFault(refusePoolers(pool, { connection }, () => pool))).toBe(SHARED);
		await pool.end();
	});
});

const UNKNOWN = [
	'default_transaction_isolation',
	'statement_timeout',
	'lock_timeout',
	'idle_in_transaction_session_timeout'
];
const IGNORES = { ignore_startup_parameters: UNKNOWN.join() };
const isMissing = pgbouncer === undefined;

describe.skipIf(isMissing)(`PgBouncer${isMissing ? ' (skipped: it is not installed)' : ''}`, () => {
	const through = async (
		settings: Parameters<typeof startPgbouncer>[1],
		open: (url: string) => Promise<unknown>,
		onConnect?: string
	): Promise<string> => {
		const pooler = await startPgbouncer(url, settings, onConnect);
		const failure = await startFault(open(pooler.url));
		await pooler.stop();
		return failure;
	};

	it('S06: which refuses settings, is named and not used', async () => {
		expect(await through({ pool_mode: 'transaction' }, openPostgres)).toBe(REFUSED);
	});

	it.each(['transaction', 'session'])(
		'S06: in %s mode, without the settings, is named and not used',
		async (mode) => {
			expect(await through({ pool_mode: mode, ...IGNORES }, openPostgres)).toMatch(
				/which does not pass on the setting (?:idle_in_transaction_session|lock)_timeout\. Connect/
			);
			expect(await isMigrated()).toBe(false);
		}
	);

	const setAll = (settings: object): string =>
		Object.entries(settings)
			.map(([name, value]) => `set ${name} = '${value}'`)
			.join(';');
	it('S06: in session mode with the settings of the migration only is named', async () => {
		const migrating = { statement_timeout: 0, idle_in_transaction_session_timeout: 30_000 };
		const settings = setAll({ ...connection, ...migrating });
		expect(await through({ pool_mode: 'session', ...IGNORES }, openPostgres, settings)).toBe(
			refusal('does not pass on the setting statement_timeout')
		);
		expect(await isMigrated()).toBe(false);
	});

	/** Makes the pooler open this many sessions. */
	const useSessions = async (there: string, count: number): Promise<void> => {
		const clients = postgres(there, { max: count });
		const hold = (rest: number): Promise<unknown> =>
			clients.begin(async () => (rest > 1 ? hold(rest - 1) : null));
		await hold(count);
		await clients.end();
	};
	const connectThrough = async (there: string): Promise<void> => {
		const client = await connectWithRetries(await connectorTo(there), connection, 0);
		await client.end();
	};

	it.each([
		['the last session first', {}],
		['sessions in turn', { server_round_robin: 1 }],
		['one session', { default_pool_size: 1 }]
	])('S06: in transaction mode with all settings is named, using %s', async (_, settings) => {
		const all = {
			pool_mode: 'transaction',
			default_pool_size: 3,
			...IGNORES,
			...settings
		};
		const open = async (there: string): Promise<void> => {
			await useSessions(there, all.default_pool_size);
			await connectThrough(there);
		};
		expect(await through(all, open, setAll(connection))).toBe(SHARED);
	});

	it('in session mode with all settings works, and is used', async () => {
		const all = { pool_mode: 'session', ...IGNORES };
		expect(await through(all, connectThrough, setAll(connection))).toBe('it started');
	});
});

describe('a direct connection', () => {
	it('is used, also when the URL overrides settings', async () => {
		const sql = await openPostgres(`${url}?application_name=it's&statement_timeout=1500`);
		await sql.close();
		expect(await isMigrated()).toBe(true);
	});
});
