import type { TransactionSql } from 'postgres';
import {
	migrationFailed,
	pendingMigrations,
	shippedMigrations,
	type DoneMigration
} from '../sql/migrations.ts';
import type { DatabaseAccess } from '#lib/config/database.ts';
import { connectorTo } from './connect.ts';
import { connectWithRetries } from './connect-with-retries.ts';
import { storeFault } from '../sql/sql.ts';
import { fail } from './start-fault.ts';

/** An arbitrary number. Every instance must use the same one. */
const LOCK = 7_767_837;

/** Durations are in milliseconds. */
export interface MigrateOptions {
	readonly access?: DatabaseAccess | undefined;
	/** How long to wait for a server that is not up yet. The default is not to wait. */
	readonly retryFor?: number;
	/** How long to wait for another instance before saying so. */
	readonly noticeAfter?: number;
	readonly say?: (line: string) => void;
}

/**
 * Runs pending migrations on a connection of its own, one instance at a time, because two
 * concurrent `if not exists` statements still collide. The journal table is drizzle's, whose
 * migrator reads it before its transaction begins.
 *
 * Lock, journal and migrations are one transaction. If the process dies in between, the database
 * is unchanged and the lock is free.
 *
 * @throws OperatorError, with a line that contains no part of the URL
 */
export const migratePostgres = async (
	url: string,
	{ access, retryFor = 0, noticeAfter = 5000, say = () => undefined }: MigrateOptions = {}
): Promise<void> => {
	const settings = {
		// No limit: waiting for the lock and building an index can take long.
		statement_timeout: 0,
		lock_timeout: 0,
		// Pauses between two statements are short. A long one means that the machine is gone, and
		// the lock with it.
		idle_in_transaction_session_timeout: 30_000
	};
	const connect = await connectorTo(url, access).catch(fail);
	const client = await connectWithRetries(connect, settings, retryFor, say).catch(fail);
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

const takeLock = async (
	tx: TransactionSql,
	noticeAfter: number,
	say: (line: string) => void
): Promise<void> => {
	// Ends the statement of an instance that was killed, which otherwise holds the lock until it
	// finishes. Servers before version 14 and some systems continue without it.
	await tx
		.savepoint((inner) => inner`set local client_connection_check_interval = 1000`)
		.catch(() => undefined);
	const notice = setTimeout(
		() => say('another instance is running migrations, waiting for it to finish'),
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
	// Check first: `if not exists` needs the right to create even when the table exists.
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
			await tx.unsafe(statement).catch((error: Error) => {
				const { reason } = storeFault(error);
				// Wrong data or a wrong statement. The message about wrong data would quote it.
				if (!/^(?:2[23]|42(?!501))/.test(reason)) throw error;
				const why = reason.startsWith('22') ? reason : error.message;
				throw migrationFailed(done.length + number, why);
			});
		}
		await tx`insert into drizzle.__drizzle_migrations (hash, created_at)
			values (${hash}, ${folderMillis})`;
	}
};
