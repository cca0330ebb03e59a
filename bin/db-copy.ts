import { existsSync } from 'node:fs';
import { loadEnvFile } from 'node:process';
import { parseArgs } from 'node:util';
import { getTableName } from 'drizzle-orm';
import { fillPostgres } from '#lib/adapters/postgres/fill.ts';
import { tables } from '#lib/adapters/postgres/schema.ts';
import { copyTables } from '#lib/adapters/sql/copy-tables.ts';
import { openSnapshot } from '#lib/adapters/sqlite/read-only.ts';
import { databaseKind, exposureOf, readDatabase } from '#lib/config/database.ts';
import { OperatorError, say } from '#lib/operator-messages.ts';
import { calling } from './lib/printable.ts';
import { runCli } from './lib/run-cli.ts';

// Copies a SQLite database to an empty PostgreSQL database and compares the two.

const USAGE = `name the source and the target: ${calling('db-copy')} --from file:./data/postern.db --to postgres://user@host:5432/database (set the password in PGPASSWORD)`;

/**
 * The two URLs, or null when one is missing or of the wrong kind. DATABASE_URL can name the
 * target.
 */
const readUrls = (): { from: string; to: string | undefined } | null => {
	try {
		const { from, to } = parseArgs({
			options: { from: { type: 'string' }, to: { type: 'string' } }
		}).values;
		const target = to ?? process.env['DATABASE_URL'] ?? '';
		if (from === undefined || databaseKind(from) !== 'sqlite') return null;
		return databaseKind(target.trim()) === 'postgres' ? { from, to } : null;
	} catch {
		return null;
	}
};

await runCli(async (refuse) => {
	if (existsSync('.env')) loadEnvFile('.env');
	const urls = readUrls();
	if (urls === null) return refuse(USAGE);
	const { from, to } = urls;
	const warn = (line: string): void => say(`warning: ${line}`);
	if (to !== undefined && URL.canParse(to) && new URL(to).password !== '') {
		warn(
			'the arguments contain the password. Other users of this machine can see it, and the shell history keeps it. Next time, set PGPASSWORD'
		);
	}
	// As for the server, DATABASE_TLS and DATABASE_CA decide how the target is reached.
	const target = readDatabase({ ...process.env, ...(to !== undefined && { DATABASE_URL: to }) });
	const named = (line: string): string =>
		to === undefined ? line : line.replace(/^DATABASE_URL/, '--to');
	if (!target.ok) return target.error.forEach((line) => refuse(named(line)));
	const { url, access } = target.value;
	const exposure = exposureOf(access);
	if (exposure !== null) warn(exposure);
	const source = await openSnapshot(from);
	try {
		say('copying. Stop the server first: the copy does not include later writes');
		const copied = await fillPostgres(
			url,
			(target) => copyTables(tables, source, target),
			access
		).catch((error: unknown) => {
			throw error instanceof OperatorError ? new OperatorError(named(error.message)) : error;
		});
		for (const { table, rows } of copied)
			say(`${table.padEnd(16)} ${String(rows).padStart(9)} rows`);
		const known: string[] = Object.values(tables).map(getTableName);
		for (const table of source.tables.filter((name) => !known.includes(name))) {
			warn(`the table ${table} does not belong to Postern, so it was not copied`);
		}
		if (source.writtenSince()) {
			warn(
				'another process wrote to the source during the copy, and the copy does not include that. Stop the server, and copy again into a new database'
			);
		}
		say(
			`copied ${copied.length} tables, and every row matches. Set DATABASE_URL to the new URL and start the server`
		);
	} finally {
		source.close();
	}
});
