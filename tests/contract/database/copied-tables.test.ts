import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { copyTables } from '#lib/adapters/sql/copy-tables.ts';
import { OperatorError } from '#lib/operator-messages.ts';
import type { Sql } from '#lib/adapters/sql/sql.ts';
import { openSqlite } from '#lib/adapters/sqlite/open.ts';
import { ada, at, bob, newUserId } from '../stores/examples.ts';

// The rules of a copy, with SQLite as its target. db-copy.test.ts copies to PostgreSQL.

let folder: string;
let sql: Sql;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'postern-copied-'));
	sql = await openSqlite(`file:${join(folder, 'postern.db')}`);
});
afterEach(async () => {
	await sql.close();
	await rm(folder, { recursive: true });
});

const aUser = (email: string) => ({
	id: newUserId(),
	email,
	emailVerified: true,
	name: '',
	image: null,
	role: null,
	createdAt: at(0),
	updatedAt: at(1),
	deletedAt: null,
	blockedAt: null
});
const [one, two] = [aUser(ada), aUser(bob)];
const run = { task: 'a', day: 'b' };

const copy = (rows: Readonly<Record<string, readonly object[][]>>) =>
	copyTables(sql.tables, { rows: (table) => (rows[table] ?? []) as never }, sql.db);

test('a copy has every row of every batch, and tells their number by table', async () => {
	const copied = await copy({ user: [[one], [two]], taskRun: [[run]] });
	expect(copied).toHaveLength(Object.keys(sql.tables).length);
	expect(copied.filter(({ rows }) => rows > 0)).toEqual([
		{ table: 'user', rows: 2 },
		{ table: 'task_run', rows: 1 }
	]);
	expect(await sql.db.select().from(sql.tables.user)).toEqual([one, two]);
});

test.each([
	['a row that arrives differently', { user: [[{ ...one, image: undefined }]] }, 'user differs'],
	['a row that was there before', { taskRun: [[{ ...run, task: 'b' }]] }, 'task_run differs'],
	[
		'a row that the database refuses',
		{ user: [[one, { ...two, id: one.id }]] },
		'user (SQLITE_CONSTRAINT_PRIMARYKEY), so nothing was copied'
	]
])('a copy is refused with %s, in a message without values', async (_what, rows, message) => {
	await sql.db.insert(sql.tables.taskRun).values(run);
	const refusal = await copy(rows).catch((error: unknown) => error);
	expect(refusal).toBeInstanceOf(OperatorError);
	expect(String(refusal)).toContain(message);
	expect(String(refusal)).not.toContain(one.id);
});
