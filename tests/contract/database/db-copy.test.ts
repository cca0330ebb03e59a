import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { getTableColumns, getTableName } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { fillPostgres } from '#lib/adapters/postgres/fill.ts';
import { migratePostgres } from '#lib/adapters/postgres/migrate.ts';
import { openPostgres } from '#lib/adapters/postgres/open.ts';
import { tables } from '#lib/adapters/postgres/schema.ts';
import {
	copyTables,
	type CopiedTable,
	type CopySource,
	type TableName
} from '#lib/adapters/sql/copy-tables.ts';
import type { Sql } from '#lib/adapters/sql/sql.ts';
import { sqlStores } from '#lib/adapters/sql/stores.ts';
import { openSqlite } from '#lib/adapters/sqlite/open.ts';
import { openSnapshot } from '#lib/adapters/sqlite/read-only.ts';
import { dbCopy } from '../../support/process/run-program.ts';
import { createDatabase, dropDatabase, onPostgres } from '../../support/postgres/cluster.ts';
import { signIn } from '../account/account-examples.ts';
import { aDevicePlacement } from '../sessions/device-examples.ts';
import { anEmail, at } from '../stores/examples.ts';

/** More than two batches, and not a whole number of them. */
const MANY = 2345;

let folder: string;
let from: string;
let to: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'postern-copy-'));
	from = `file:${join(folder, 'postern.db')}`;
	to = await createDatabase(inject('postgresUrl'));
});
afterEach(async () => {
	await rm(folder, { recursive: true, force: true });
	await dropDatabase(inject('postgresUrl'), to);
});

const ms = (millis: number): Date => new Date(at(0).getTime() + millis);

/** Texts that an engine could change, and that collations order differently. */
const TEXTS = [
	'',
	' ',
	'a',
	'B',
	'b',
	'_',
	'~',
	'-',
	'é',
	'Zoë 🦉',
	'z',
	'\ufeffBOM',
	'\u202eltr',
	'line\r\nbreak\ttab',
	`quote ' " \``,
	'back\\slash \\N \\000',
	'{"a":[null]}',
	'日本語',
	'%s $1 ?'
];

/**
 * Rows in every table, this many of them accounts: with times to the millisecond, nulls, and texts
 * of every kind, in keys too. A row refers to the rows of the same number.
 */
const fillSource = async (users = 25): Promise<void> => {
	const sql = await openSqlite(from);
	const idOf = (i: number): string => `01955000-0000-7000-8000-${String(i).padStart(12, '0')}`;
	const valueOf = (column: AnyPgColumn, i: number): unknown => {
		if (!column.notNull && i % 3 === 0) return null;
		if (column.getSQLType() === 'uuid') return idOf(i);
		if (column.dataType === 'date') return ms((i % 2 === 0 ? 7919 : -86_399_999) * i + 123);
		if (column.dataType === 'number') return i * 7;
		if (column.dataType === 'boolean') return i % 2 === 0;
		return `${TEXTS[i % TEXTS.length] ?? ''}${i < TEXTS.length ? '' : i}`;
	};
	for (const [name, table] of Object.entries<PgTable>(tables)) {
		const columns = Object.entries(getTableColumns(table));
		const rows = Array.from({ length: name === 'user' ? users : TEXTS.length }, (_, i) =>
			Object.fromEntries(columns.map(([key, column]) => [key, valueOf(column, i)]))
		);
		await sql.db.insert(sql.tables[name as TableName] as PgTable).values(rows);
	}
	await sql.close();
};

/** Copies as the script does, within this process. */
const copy = async (): Promise<readonly CopiedTable[]> => {
	const source = await openSnapshot(from);
	try {
		return await fillPostgres(to, (target) => copyTables(tables, source, target));
	} finally {
		source.close();
	}
};

/** All rows of all tables as the product reads them, in a fixed order. */
const everything = async (sql: Sql): Promise<Readonly<Record<string, readonly string[]>>> => {
	const found: Record<string, readonly string[]> = {};
	for (const [name, table] of Object.entries(sql.tables)) {
		const rows: readonly object[] = await sql.db.select().from(table);
		found[name] = rows.map((row) => JSON.stringify(row)).sort();
	}
	await sql.close();
	return found;
};

const onTarget = (...statements: readonly string[]) => onPostgres(to, ...statements);

const changeSource = (statement: string): void => {
	const client = new Sqlite(join(folder, 'postern.db'));
	client.exec(statement);
	client.close();
};

const usersOnTarget = async (): Promise<unknown> =>
	(await onTarget('select count(*)::int as count from "user"'))[0];

describe('npm run db:copy', () => {
	it('copies every table whole, and prints the number of its rows', async () => {
		await fillSource(MANY);
		const { code, stdout, stderr } = await dbCopy('--from', from, '--to', to);
		expect([code, stderr]).toEqual([0, '']);
		expect(stdout).not.toContain('warning');
		expect(stdout).toMatch(new RegExp(`^\\[postern\\] user +${MANY} rows$`, 'm'));
		const [had, has] = [
			await everything(await openSqlite(from)),
			await everything(await openPostgres(to))
		];
		expect(has).toEqual(had);
		const source = await openSnapshot(from);
		expect(Object.values(tables).map(getTableName).sort()).toEqual(source.tables);
		source.close();
	});

	it('copies one moment of a source with concurrent writes, and reports them', async () => {
		await fillSource();
		const source = await openSnapshot(from);
		const copied = await fillPostgres(to, (target) => {
			const busy: CopySource = {
				rows: function* (table) {
					for (const batch of source.rows(table)) {
						changeSource(`insert into task_run values ('during', '${anEmail()}')`);
						yield batch;
					}
				}
			};
			return copyTables(tables, busy, target);
		});
		expect(copied.find(({ table }) => table === 'task_run')?.rows).toBe(TEXTS.length);
		expect(source.writtenSince()).toBe(true);
		source.close();
		const quiet = await openSnapshot(from);
		expect(quiet.writtenSince()).toBe(false);
		quiet.close();
	});

	it('detects a value that arrives differently, and leaves no copy', async () => {
		await fillSource();
		await migratePostgres(to);
		await onTarget(
			`create function tamper() returns trigger language plpgsql as $$ begin new.created_at := new.created_at + interval '1 ms'; return new; end $$`,
			'create trigger tamper before insert on session for each row execute function tamper()'
		);
		await expect(copy()).rejects.toThrow(/^the table session differs after the copy/);
		expect(await usersOnTarget()).toEqual({ count: 0 });
	});

	it('reports a value that PostgreSQL cannot store, with its place', async () => {
		for (const [statement, message] of [
			[`update "user" set name = 'a' || char(0) || 'b'`, 'rows of the table user (22021)'],
			[`update session set id = 'none'`, 'rows of the table session (22P02)'],
			[
				`pragma foreign_keys = off; delete from "user"`,
				'rows of the table session (23503 session_user_id_user_id_fk)'
			]
		] as const) {
			await rm(join(folder, 'postern.db'), { force: true });
			const sql = await openSqlite(from);
			await signIn(sqlStores(sql), anEmail(), { device: aDevicePlacement() });
			await sql.close();
			changeSource(statement);
			await expect(copy()).rejects.toThrow(message);
			expect(await usersOnTarget()).toEqual({ count: 0 });
		}
	});

	it('tables of other programs in the source are not copied, and a line says so', async () => {
		await (await openSqlite(from)).close();
		changeSource('create table theirs (x text)');
		const { code, stdout } = await dbCopy('--from', from, '--to', to);
		expect([code, stdout]).toEqual([
			0,
			expect.stringContaining('warning: the table theirs does not belong to Postern')
		]);
	});
});

describe('npm run db:copy refuses, in one line and with exit code 1,', () => {
	const refusal = async (...args: readonly string[]): Promise<string> => {
		const { code, stderr } = await dbCopy(...args);
		expect([code, stderr]).toEqual([1, expect.stringMatching(/^\[postern\] .+\n$/)]);
		return stderr;
	};

	it('missing or wrong arguments', async () => {
		const tried = [
			['--from', from],
			['--from', to, '--to', to],
			['--from', from, '--to', to, '--force']
		];
		for (const message of await Promise.all(tried.map((args) => refusal(...args)))) {
			expect(message).toContain('postern db-copy --from file:./data/postern.db --to postgres://');
		}
	});

	it('a target that the settings of the server would refuse', async () => {
		const to = 'postgres://u@db.example.org/postern?sslrootcert=/etc/ca.pem';
		expect(await refusal('--from', from, '--to', to)).toContain('--to: sslrootcert has no effect');
	});

	it('a missing source, and does not create it', async () => {
		await expect(copy()).rejects.toThrow('there is no database file');
		expect(existsSync(join(folder, 'postern.db'))).toBe(false);
	});

	it('a target that does not answer, or does not exist', async () => {
		await (await openSqlite(from)).close();
		const absent = new URL(to);
		absent.pathname = '/none';
		const [closed, missing] = await Promise.all([
			refusal('--from', from, '--to', 'postgres://u:secretly@127.0.0.1:1/none'),
			refusal('--from', from, '--to', absent.href)
		]);
		expect(closed).toContain(
			'--to: PostgreSQL cannot be reached (ECONNREFUSED). Start it, or correct the host'
		);
		expect(closed).not.toContain('secretly');
		expect(missing).toContain('--to: there is no database of this name (3D000)');
	});

	it('a target with rows or with tables of other programs, and does not migrate it', async () => {
		await (await openSqlite(from)).close();
		await onTarget('create table purchase (id int)');
		await expect(copy()).rejects.toThrow(
			'nothing was changed (relation "purchase" already exists)'
		);
		await onTarget(
			'insert into purchase values (1)',
			'create schema drizzle',
			'create table drizzle.__drizzle_migrations (id int, hash text, created_at bigint)'
		);
		await expect(copy()).rejects.toThrow(
			'the target database is not empty. It has rows in the table purchase'
		);
		expect(
			await onTarget(`select 1 from information_schema.tables where table_name = 'user'`)
		).toEqual([]);
	});
});

describe('the source of a copy is refused', () => {
	const opened = async (): Promise<void> => (await openSnapshot(from)).close();

	it('when it is not a database, or not one of ours', async () => {
		for (const content of ['not a database, just text that is long enough'.repeat(9), '']) {
			await writeFile(join(folder, 'postern.db'), content);
			await expect(opened()).rejects.toThrow('is not a Postern database');
		}
		changeSource('create table user (id text)');
		await expect(opened()).rejects.toThrow('is not a Postern database');
	});

	it('when it is on an older or a newer schema', async () => {
		await (await openSqlite(from)).close();
		await opened();
		changeSource(
			'delete from __drizzle_migrations where id = (select max(id) from __drizzle_migrations)'
		);
		await expect(opened()).rejects.toThrow('has an older schema. Start this version with it once');
		await rm(join(folder, 'postern.db'));
		await (await openSqlite(from)).close();
		changeSource(`insert into __drizzle_migrations (hash, created_at) values ('x', 9e12)`);
		await expect(opened()).rejects.toThrow('by a newer version of Postern');
	});
});

describe('the target of a copy', () => {
	it('blocks other writers during the copy', async () => {
		await fillSource();
		await migratePostgres(to);
		const source = await openSnapshot(from);
		await fillPostgres(to, async (target) => {
			await expect(
				onTarget(`set lock_timeout = '50ms'`, `insert into task_run values ('other', 'day')`)
			).rejects.toMatchObject({ code: '55P03' });
			return copyTables(tables, source, target);
		});
		source.close();
	});
});
