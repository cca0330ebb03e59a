import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { openDatabase, type Row } from '../http/database.ts';
import { openOnce, type Instance } from '../process/instance.ts';
import { createDatabase, dropDatabase } from '../postgres/cluster.ts';
import { projectRoot } from '../files/scratch-copy.ts';

export type Engine = 'sqlite' | 'postgres';

/** A new empty database. */
export const emptyDatabase = async (engine: Engine) => {
	if (engine === 'sqlite') {
		const folder = await mkdtemp(join(tmpdir(), 'postern-migrations-'));
		return {
			url: `file:${join(folder, 'postern.db')}`,
			remove: () => rm(folder, { recursive: true, force: true })
		};
	}
	const server = inject('postgresUrl');
	const url = await createDatabase(server);
	return { url, remove: () => dropDatabase(server, url) };
};

export type EmptyDatabase = Awaited<ReturnType<typeof emptyDatabase>>;

interface JournalFile {
	readonly entries: { idx: number; version: string; when: number; tag: string }[];
}

const journalPath = (root: string, engine: Engine): string =>
	join(root, 'drizzle', engine, 'meta', '_journal.json');

/** The shipped migrations, oldest first, by the time that identifies them. */
export const shipped = (engine: Engine, root = projectRoot): readonly number[] =>
	(JSON.parse(readFileSync(journalPath(root, engine), 'utf8')) as JournalFile).entries.map(
		({ when }) => when
	);

/** The migrations of an engine, followed by these. */
export const otherMigrations = (
	engine: Engine,
	{ added }: { readonly added: readonly string[] }
) => {
	const cwd = mkdtempSync(join(tmpdir(), 'postern-other-'));
	symlinkSync(join(projectRoot, 'build'), join(cwd, 'build'));
	cpSync(join(projectRoot, 'drizzle'), join(cwd, 'drizzle'), { recursive: true });
	const path = journalPath(cwd, engine);
	const journal = JSON.parse(readFileSync(path, 'utf8')) as JournalFile;
	const entries = [...journal.entries];
	for (const text of added) {
		const last = entries.at(-1) ?? { idx: -1, version: '7', when: 0 };
		const tag = `${String(last.idx + 1).padStart(4, '0')}_added`;
		entries.push({ ...last, idx: last.idx + 1, when: last.when + 1000, tag });
		writeFileSync(join(cwd, 'drizzle', engine, `${tag}.sql`), text);
	}
	writeFileSync(path, JSON.stringify({ ...journal, entries }));
	return {
		cwd,
		remove: () => rmSync(cwd, { recursive: true, force: true })
	};
};

const ADA = {
	sqlite: `insert into "user" (id, email, email_verified, name, created_at, updated_at)
		values ('01955000-0000-7000-8000-000000000001', 'ada@example.com', 1, 'Ada', 1772366400123, 1772366400123)`,
	postgres: `insert into "user" (id, email, email_verified, name, created_at, updated_at)
		values ('01955000-0000-7000-8000-000000000001', 'ada@example.com', true, 'Ada', '2026-03-01T12:00:00.123Z', '2026-03-01T12:00:00.123Z')`
};

/** A database that this version has migrated, with an account in it. */
export const usedDatabase = async (engine: Engine, instance: Instance): Promise<EmptyDatabase> => {
	const database = await emptyDatabase(engine);
	const refusal = await openOnce(instance, database.url);
	if (refusal !== null) throw new Error(refusal);
	await run(database.url, ADA[engine]);
	return database;
};

/** Runs statements from outside; returns the rows of the last one. */
export const run = async (url: string, ...statements: string[]): Promise<readonly Row[]> => {
	const database = openDatabase(url);
	let rows: readonly Row[] = [];
	for (const statement of statements) rows = await database.rows(statement);
	await database.close();
	return rows;
};

const JOURNAL = { sqlite: '__drizzle_migrations', postgres: 'drizzle.__drizzle_migrations' };
const engineOf = (url: string): Engine => (url.startsWith('file:') ? 'sqlite' : 'postgres');

/** The migrations that a database has recorded, in the order they ran. */
export const journal = async (url: string): Promise<readonly number[]> => {
	const rows = await run(url, `select created_at from ${JOURNAL[engineOf(url)]} order by id`);
	return rows.map((row) => Number(row['created_at']));
};

const SCHEMA = {
	sqlite: 'select type, name, sql from sqlite_master order by type, name',
	postgres: `select table_schema || '.' || table_name || '.' || column_name as name, data_type as sql
			from information_schema.columns where table_schema not in ('pg_catalog', 'information_schema')
		union all select indexname, indexdef from pg_indexes where schemaname = 'public'
		union all select conname, pg_get_constraintdef(oid) from pg_constraint
		union all select tgname, pg_get_triggerdef(oid) from pg_trigger order by name, sql`
};

/** Everything a migration could have changed, rows included. */
export const everythingIn = async (url: string): Promise<unknown> => {
	const database = openDatabase(url);
	const all = { schema: await database.rows(SCHEMA[engineOf(url)]), rows: await database.dump() };
	await database.close();
	return all;
};

export const accounts = (url: string): Promise<readonly Row[]> =>
	run(url, 'select * from "user" order by id');
