import type { TransactionSql } from 'postgres';
import {
	migrationFailed,
	pendingMigrations,
	shippedMigrations,
	type DoneMigration
} from '../sql/migrations.ts';
import type { DatabaseAccess } from '#lib/config/database-tls.ts';
import { connectorTo } from './connect.ts';
import { connectPatiently } from './connect-patiently.ts';
import { sessionSettings } from './session-settings.ts';
import { objectionOf, startFault } from './start-fault.ts';

/** Any number will do, as long as every instance takes the same. */
const LOCK = 7_767_837;

/** Spans in milliseconds, and where lines for a person go. */
export interface MigrateOptions {
	/** How the server is reached; when left out, as the URL and the default for TLS say. */
	readonly access?: DatabaseAccess | undefined;
	/** How long a server that is not up yet is waited for; not at all when left out. */
	readonly patience?: number;
	/** After how long waiting for another instance is said. */
	readonly noticeAfter?: number;
	readonly say?: (line: string) => void;
}

/**
 * Runs pending migrations on a connection of its own, one instance at a time: `if not exists` of
 * two at once still collides. The table is drizzle's; its migrator reads it before it begins.
 *
 * Lock, journal and migrations are one transaction: whatever happens to the process in between,
 * the database is as it was and the lock is free. A lock of the session would stay with a pooler.
 *
 * @throws Refused, its line without anything of the address
 */
export const migratePostgres = async (
	url: string,
	{ access, patience = 0, noticeAfter = 5000, say = () => undefined }: MigrateOptions = {}
): Promise<void> => {
	const options = {
		max: 1,
		max_lifetime: null,
		connect_timeout: 5,
		fetch_types: false,
		onnotice: () => {},
		connection: {
			...sessionSettings,
			// Waiting for the lock and building an index may take their time.
			statement_timeout: 0,
			// Between two statements it takes none: then the machine is gone, and the lock with it.
			idle_in_transaction_session_timeout: 30_000
		}
	};
	const connector = await connectorTo(url, access).catch(fail);
	const client = await connectPatiently(connector, options, patience, say).catch(fail);
	try {
		await client
			.begin('isolation level read committed', async (tx) => {
				await takeLock(tx, noticeAfter, say);
				await migrate(tx);
			})
			.catch(fail);
	} finally {
		await client.end({ timeout: 5 });
	}
};

const fail = (error: unknown): never => {
	throw startFault(error);
};

const takeLock = async (
	tx: TransactionSql,
	noticeAfter: number,
	say: (line: string) => void
): Promise<void> => {
	// Ends the statement of an instance that was killed, which otherwise keeps the lock until it is
	// done. Servers before version 14 and on some systems do not know it, and go without.
	await tx
		.savepoint((inner) => inner`set local client_connection_check_interval = 1000`)
		.catch(() => undefined);
	await tx`set local lock_timeout = 0`;
	const notice = setTimeout(
		() => say('waiting for another instance to finish migrating'),
		noticeAfter
	);
	try {
		await tx`select pg_advisory_xact_lock(${LOCK})`;
	} finally {
		clearTimeout(notice);
	}
};

const migrate = async (tx: TransactionSql): Promise<void> => {
	const shipped = shippedMigrations('postgres');
	// Asked first: `if not exists` wants the right to create also where there is nothing to do.
	const [journal] = await tx<{ there: boolean }[]>`
		select to_regclass('drizzle.__drizzle_migrations') is not null as there`;
	if (journal?.there !== true) {
		await tx`create schema if not exists drizzle`;
		await tx`create table drizzle.__drizzle_migrations
			(id serial primary key, hash text not null, created_at bigint)`;
	}
	const done = await tx<DoneMigration[]>`
		select hash, created_at::float8 as at from drizzle.__drizzle_migrations order by created_at`;
	const pending = pendingMigrations(shipped, done);
	for (const [number, { sql, hash, folderMillis }] of pending.entries()) {
		for (const statement of sql) {
			await tx.unsafe(statement).catch((error: unknown) => {
				const objection = objectionOf(error);
				throw objection === null ? error : migrationFailed(done.length + number, objection);
			});
		}
		await tx`insert into drizzle.__drizzle_migrations (hash, created_at)
			values (${hash}, ${folderMillis})`;
	}
};
