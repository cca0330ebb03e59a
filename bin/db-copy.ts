import { existsSync } from 'node:fs';
import { loadEnvFile } from 'node:process';
import { parseArgs } from 'node:util';
import { fillPostgres } from '#lib/adapters/postgres/fill.ts';
import { tableLayouts } from '#lib/adapters/postgres/layouts.ts';
import { copyTables } from '#lib/adapters/sql/copy/copy-tables.ts';
import { openSnapshot } from '#lib/adapters/sqlite/snapshot.ts';
import { databaseKind, exposureOf, readDatabase } from '#lib/config/database.ts';
import { withPassword } from './ask-password.ts';
import { runCli } from './run-cli.ts';

// Copies a SQLite database to an empty PostgreSQL database and compares the two.

const USAGE =
	'name the source and the target: npm run db:copy -- --from file:./data/postern.db --to postgres://user@host:5432/database (set the password in PGPASSWORD, or enter it when asked)';

/**
 * The two URLs, or null when one is missing or of the wrong kind. DATABASE_URL can name the
 * target.
 */
const readAddresses = (): { from: string; to: string | undefined } | null => {
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

await runCli(async (say, refuse) => {
	if (existsSync('.env')) loadEnvFile('.env');
	const addresses = readAddresses();
	if (addresses === null) return refuse(USAGE);
	const { from, to } = addresses;
	if (to !== undefined && URL.canParse(to) && new URL(to).password !== '') {
		say(
			'warning: the arguments contain the password. Other users of this machine can see it, and the shell history keeps it. Next time, set PGPASSWORD or enter it when asked'
		);
	}
	// As for the server, DATABASE_TLS and DATABASE_CA decide how the target is reached.
	const target = readDatabase({ ...process.env, ...(to !== undefined && { DATABASE_URL: to }) });
	if (!target.ok) {
		const name = to === undefined ? 'DATABASE_URL' : '--to';
		return target.error.forEach((line) => refuse(line.replace(/^DATABASE_URL/, name)));
	}
	const { url, access } = target.value;
	const exposure = exposureOf(access);
	if (exposure !== null) say(`warning: ${exposure}`);
	const source = await openSnapshot(from);
	try {
		say('copying. Stop the server first: the copy does not include later writes');
		const layouts = tableLayouts();
		const copied = await withPassword(url, () =>
			fillPostgres(url, layouts, (target) => copyTables(layouts, source, target), access)
		);
		for (const { table, rows, checksum } of copied) {
			say(`${table.padEnd(14)} ${String(rows).padStart(9)} rows  sha256 ${checksum.slice(0, 12)}`);
		}
		const known = layouts.map(({ name }) => name);
		for (const table of source.tables.filter((name) => !known.includes(name))) {
			say(`warning: the table ${table} does not belong to Postern, so it was not copied`);
		}
		if (source.writtenSince()) {
			say(
				'warning: another process wrote to the source during the copy, and the copy does not include that. Stop the server, and copy again into a new database'
			);
		}
		say(
			`copied ${copied.length} tables, row counts and checksums match. Set DATABASE_URL to the new URL and start the server`
		);
	} finally {
		source.close();
	}
});
