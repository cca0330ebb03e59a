import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import postgres from 'postgres';
import { describe, expect, test } from 'vitest';
import { guideSample } from '../../support/files/guide-sample.ts';
import { sqliteFile } from '../../support/http/database.ts';
import { bearer, me, signIn } from '../../support/http/client.ts';
import { onBothDatabases, type Fixture } from '../../support/http/fixtures.ts';

const sample = (caption: string): string => guideSample('from-better-auth', caption);
const sqliteMove = sample('SQL, in the new SQLite file');
const postgresAside = sample('SQL, in the old database');
const postgresMove = sample('SQL, in the new database');
const follow = sample('SQL, for each of your tables');
const leftOut = sample('SQL, to list them');

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const KEPT = '0191d3c0-0000-4000-8000-00000000abcd';
const CREATED = '2024-03-05T06:07:08.901Z';

/** Users of the old installation: id, name, email address, whether it was verified. */
const people = [
	[KEPT.toUpperCase(), 'Ada', 'ada.moves@example.com', true],
	['k9Zp3LxQw7VnB2mT', "Grace O'Hopper", 'Grace.Moves@Example.com', true],
	['----------------------------------AB', 'Odd', 'odd.moves@example.com', true],
	['here-before', 'Before', 'before.moves@example.com', true],
	['not-verified', 'Mallory', 'mallory.moves@example.com', false],
	['not-ascii', 'Zoë', 'zoë.moves@example.com', true]
] as const;

/** Fills better-auth's table as its own migrations make it. */
const oldRows = (table: string, truth: (value: boolean) => string): readonly string[] =>
	people.map(
		([id, name, email, verified]) =>
			`insert into ${table} values ('${id}', '${name.replaceAll("'", "''")}', '${email}', ${truth(verified)}, null, '${CREATED}', '${CREATED}')`
	);

const moveSqlite = async ({ server }: Fixture): Promise<readonly string[]> => {
	const folder = mkdtempSync(join(tmpdir(), 'postern-move-'));
	const oldFile = join(folder, 'old.db');
	const old = new Sqlite(oldFile);
	old.exec(
		'create table "user" ("id" text not null primary key, "name" text not null, "email" text not null unique, "emailVerified" integer not null, "image" text, "createdAt" date not null, "updatedAt" date not null)'
	);
	for (const row of oldRows('"user"', (value) => String(Number(value)))) old.exec(row);
	// Other adapters of better-auth store times as numbers.
	const seconds = Math.floor(Date.parse(CREATED) / 1000);
	old.exec(`update "user" set "createdAt" = ${seconds} where name = 'Odd'`);
	old.exec(`update "user" set "createdAt" = ${Date.parse(CREATED)} where name like 'Grace%'`);
	old.close();
	const client = new Sqlite(sqliteFile(server.databaseUrl), { timeout: 5000 });
	client.exec(sqliteMove.replace('better-auth.db', oldFile));
	client.exec("create table note (user_id text); insert into note values ('k9Zp3LxQw7VnB2mT')");
	client.exec(follow);
	const left = client.prepare(leftOut.replace('better_auth."user"', 'old.user')).all();
	client.close();
	rmSync(folder, { recursive: true, force: true });
	return left.map((row) => (row as { id: string }).id);
};

const movePostgres = async ({ server }: Fixture): Promise<readonly string[]> => {
	const client = postgres(server.databaseUrl, { max: 1, onnotice: () => {} });
	// As if it were the old database: its tables lie in `public` of another one, so in a schema here.
	await client.unsafe(`create schema before; set search_path to before;
		create table "user" ("id" text not null primary key, "name" text not null, "email" text not null unique, "emailVerified" boolean not null, "image" text, "createdAt" timestamptz default current_timestamp not null, "updatedAt" timestamptz default current_timestamp not null);
		create table "session" ("userId" text references "user" ("id")); create table "account" (); create table "verification" ()`);
	await client.unsafe(postgresAside);
	await client.unsafe('set search_path to public');
	for (const row of oldRows('better_auth."user"', String)) await client.unsafe(row);
	await client.unsafe(postgresMove);
	await client.unsafe(
		"create table note (user_id text); insert into note values ('k9Zp3LxQw7VnB2mT')"
	);
	await client.unsafe(follow);
	const left = await client.unsafe(leftOut);
	await client.end();
	return left.map((row) => String(row['id']));
};

describe('moving from better-auth with the SQL statements of the guide', () => {
	onBothDatabases((fixture) => {
		test('every user with a verified email address keeps their data and signs in once more', async () => {
			const before = await signIn(fixture.server, 'before.moves@example.com');
			const beforeId = (await me(fixture.server, bearer(before.token)))?.user['id'];
			const left = await (fixture.engine === 'SQLite'
				? moveSqlite(fixture)
				: movePostgres(fixture));
			expect([...left].sort()).toEqual(['not-ascii', 'not-verified']);

			const userOf = async (email: string): Promise<Readonly<Record<string, unknown>>> => {
				const { answer } = await signIn(fixture.server, email);
				return (answer.json() as { user: Record<string, unknown> }).user;
			};
			const ada = await userOf('ada.moves@example.com');
			expect(ada).toMatchObject({ id: KEPT, name: 'Ada', emailVerified: true, createdAt: CREATED });
			const grace = await userOf('grace.moves@example.com');
			expect(grace).toMatchObject({ name: "Grace O'Hopper", createdAt: CREATED });
			expect(grace['id']).toMatch(UUID);
			expect((await userOf('odd.moves@example.com'))['id']).toMatch(UUID);
			expect((await userOf('before.moves@example.com'))['id']).toBe(beforeId);

			const moved = await fixture.database.rows('select old_id, new_id from moved_user');
			expect(moved).toHaveLength(4);
			expect(moved).toContainEqual({ old_id: 'k9Zp3LxQw7VnB2mT', new_id: grace['id'] });
			const [note] = await fixture.database.rows('select user_id from note');
			expect(note).toEqual({ user_id: grace['id'] });
			const data = await fixture.database.rows('select user_id from user_data');
			expect(data).toContainEqual({ user_id: KEPT });
			// A user who was not migrated signs up as a new one.
			expect((await userOf('mallory.moves@example.com'))['name']).toBe('');
		});
	});
});
