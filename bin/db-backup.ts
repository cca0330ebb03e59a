import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadEnvFile } from 'node:process';
import { backupSqlite } from '#lib/adapters/sqlite/backup.ts';
import { readDatabase } from '#lib/config/database.ts';
import { say } from '#lib/operator-messages.ts';
import { calling } from './lib/printable.ts';
import { runCli } from './lib/run-cli.ts';

// Copies the configured SQLite database into one verified file, also while a server runs.

await runCli(async (refuse) => {
	const [file, ...more] = process.argv.slice(2);
	if (file === undefined || file.startsWith('-') || more.length > 0) {
		return refuse(`name the file to write: ${calling('db-backup')} backups/postern-2026-03-01.db`);
	}
	// Reads only the database settings, so that a backup works when other settings are invalid.
	if (existsSync('.env')) loadEnvFile('.env');
	const database = readDatabase({ DATABASE_URL: process.env['DATABASE_URL'] });
	if (!database.ok) return database.error.forEach(refuse);
	if (database.value.kind === 'postgres') {
		return refuse(
			'DATABASE_URL is a PostgreSQL database. Back it up with pg_dump (see docs/operating.md)'
		);
	}
	const path = resolve(file);
	const bytes = await backupSqlite(database.value.url, path);
	say(`backed up ${database.value.url} to ${path}: ${bytes} bytes, verified`);
});
