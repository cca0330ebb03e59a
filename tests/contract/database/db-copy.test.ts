import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import postgres from 'postgres';
import { afterEach, beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest';
import { fillPostgres } from '#lib/adapters/postgres/fill.ts';
import { tableLayouts } from '#lib/adapters/postgres/layouts.ts';
import { migratePostgres } from '#lib/adapters/postgres/migrate.ts';
import { openPostgres } from '#lib/adapters/postgres/open.ts';
import { tables } from '#lib/adapters/postgres/schema.ts';
import { copyTables, type CopiedTable } from '#lib/adapters/sql/copy/copy-tables.ts';
import type { Sql } from '#lib/adapters/sql/sql.ts';
import { sqlStores } from '#lib/adapters/sql/stores.ts';
import { openSqlite } from '#lib/adapters/sqlite/open.ts';
import { openSnapshot } from '#lib/adapters/sqlite/snapshot.ts';
import { dbCopy } from '../../support/database/scripts.ts';
import { createDatabase, dropDatabase } from '../../support/postgres/cluster.ts';
import { anEmailRow } from '../delivery/outbox-examples.ts';
import { aDeviceChange } from '../devices/device-examples.ts';
import {
	aChallenge,
	anEmail,
	aRedemption,
	at,
	newRecordId,
	newUndoId,
	newUserId
} from '../stores/examples.ts';

/** More than two batches, and not a whole number of them. */
const MANY = 2345;
const layouts = tableLayouts();

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
	...['', ' ', 'a', 'B', 'b', '_', '~', '-', 'é', 'Zoë 🦉', 'z', '\ufeffBOM', '\u202eltr'],
	...[
		'line\r\nbreak\ttab',
		`quote ' " \``,
		'back\\slash \\N \\000',
		'{"a":[null]}',
		'日本語',
		'%s $1 ?'
	]
];

/** Signs a user in, as a server does. */
const signSomebodyIn = async (sql: Sql): Promise<void> => {
	const { challenges, signIns } = sqlStores(sql);
	const challenge = aChallenge({ email: anEmail() });
	await challenges.issue(challenge, at(0));
	const redemption = aRedemption(challenge, { device: aDeviceChange() });
	const account = { ...redemption.account, emails: [anEmailRow()] };
	await signIns.redeem({ ...redemption, account });
};

/**
 * Rows in every table, for this many users, with times to the millisecond, nulls and texts of
 * every kind.
 */
const fillSource = async (users = 25): Promise<void> => {
	const sql = await openSqlite(from);
	const { db, tables: t } = sql;
	await signSomebodyIn(sql);
	const ids = Array.from({ length: users }, newUserId);
	await sql.transaction(function* (tx) {
		for (const [i, id] of ids.entries()) {
			const user = {
				id,
				email: anEmail(`copied-${i}`),
				emailVerified: i % 2 === 0,
				name: TEXTS[i % TEXTS.length] ?? '',
				image: i % 3 === 0 ? null : 'https://example.com/a.png',
				createdAt: ms(i * 7919 + 123),
				updatedAt: ms(-i * 86_399_999),
				deletedAt: i % 5 === 0 ? ms(i + 1) : null
			};
			yield tx.insert(t.user).values(user).returning({ id: t.user.id });
		}
	});
	const [userId, other] = ids as [(typeof ids)[0], (typeof ids)[0]];
	const left = { email: anEmail('left'), depth: 1, expiresAt: ms(604_800_321) };
	await db.insert(t.emailUndo).values({ id: newUndoId(), userId, ...left });
	await db
		.insert(t.userData)
		.values([
			{ userId, marketingOptIn: true, marketingOptInAt: ms(999), isTrialEligible: false },
			{ userId: other }
		]);
	await db.insert(t.consentRecord).values(
		TEXTS.map((text, i) => ({
			...{ id: newRecordId(), userId: i % 2 === 0 ? userId : null, purpose: 'marketing' as const },
			...{ action: 'granted' as const, at: ms(i), source: 'page' as const, wording: text },
			...{ place: i % 3 === 0 ? null : '/settings', wordingVersion: `${i}` },
			email: i % 2 === 0 ? anEmail() : null
		}))
	);
	await db
		.insert(t.unsubscribeLink)
		.values(TEXTS.map((text) => ({ tokenHash: text as never, userId, createdAt: ms(3) })));
	const stamps = { createdAt: ms(1), updatedAt: ms(2) };
	await db
		.insert(t.account)
		.values(
			TEXTS.map((accountId) => ({ id: newUserId(), userId, providerId: 'p', accountId, ...stamps }))
		);
	await db.insert(t.purchase).values(
		TEXTS.map((product, i) => ({
			id: newUserId() as never,
			email: anEmail(`buyer-${i}`),
			userId: i % 2 === 0 ? null : userId,
			reference: `reference-${i}` as never,
			product,
			status: 'paid' as const,
			createdAt: ms(i)
		}))
	);
	await db.insert(t.verification).values({
		...{
			id: newUserId() as never,
			purpose: 'sign_in' as const,
			email: anEmail(),
			boundTo: '' as const
		},
		...{ codeHash: 'hash', attempts: 3, expiresAt: ms(600_001), createdAt: ms(1) }
	});
	// Text keys, on whose order the two engines must agree.
	await db.insert(t.authThrottle).values(
		TEXTS.map((key, i) => ({
			key: key as never,
			sentAt1: ms(i),
			network1: i % 2 === 0 ? null : (key as never),
			failures: i,
			failedAt: null
		}))
	);
	await db
		.insert(t.siteCount)
		.values(TEXTS.map((key, i) => ({ key, since: ms(i), part: i, count: i * 7 })));
	await db.insert(t.spentProof).values(
		TEXTS.map((id, i) => ({
			id,
			network: i % 2 === 0 ? null : (id as never),
			spentAt: ms(i),
			expiresAt: ms(i + 300_000)
		}))
	);
	await db.insert(t.taskRun).values(TEXTS.map((task, i) => ({ task, day: `2026-03-${i + 10}` })));
	await sql.close();
};

/** Copies as the script does, within this process. */
const copy = async (): Promise<readonly CopiedTable[]> => {
	const source = await openSnapshot(from);
	try {
		return await fillPostgres(to, layouts, (target) => copyTables(layouts, source, target));
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

const onTarget = async (...statements: readonly string[]): Promise<readonly unknown[]> => {
	const client = postgres(to, { max: 1, onnotice: () => {} });
	try {
		let rows: readonly unknown[] = [];
		for (const statement of statements) rows = await client.unsafe(statement);
		return rows;
	} finally {
		await client.end();
	}
};

const changeSource = (statement: string): void => {
	const client = new Sqlite(join(folder, 'postern.db'));
	client.exec(statement);
	client.close();
};

const usersOnTarget = async (): Promise<unknown> =>
	(await onTarget('select count(*)::int as count from "user"'))[0];

describe('npm run db:copy', () => {
	it('copies every table whole, and prints rows and checksum of each', async () => {
		await fillSource(MANY);
		const { code, stdout, stderr } = await dbCopy('--from', from, '--to', to);
		expect([code, stderr]).toEqual([0, '']);
		expect(stdout).not.toContain('warning');
		expect(stdout).toMatch(
			new RegExp(`^\\[postern\\] user +${MANY + 1} rows  sha256 [0-9a-f]{12}$`, 'm')
		);
		const [had, has] = [
			await everything(await openSqlite(from)),
			await everything(await openPostgres(to))
		];
		expect(has).toEqual(had);
		// A new table must be filled in this test.
		for (const [table, rows] of Object.entries(had))
			expect([table, rows.length > 0]).toEqual([table, true]);
		const source = await openSnapshot(from);
		expect(layouts.map(({ name }) => name).sort()).toEqual(source.tables);
		source.close();
	});

	it('writes a table after those that it references, in any order of the schema', () => {
		const names = tableLayouts(Object.values(tables).reverse()).map(({ name }) => name);
		expect(names).toHaveLength(layouts.length);
		for (const table of ['session', 'account', 'user_data', 'consent_record', 'purchase']) {
			expect([table, names.indexOf(table) > names.indexOf('user')]).toEqual([table, true]);
		}
	});

	it('agrees on texts and their order with a target that sorts by a human language', async () => {
		await dropDatabase(inject('postgresUrl'), to);
		const admin = postgres(inject('postgresUrl'), { max: 1 });
		const name = new URL(to).pathname.slice(1);
		await admin.unsafe(
			`create database "${name}" template template0 locale_provider icu icu_locale 'en-US'`
		);
		await admin.end();
		await fillSource();
		const copied = await copy();
		expect(copied.find(({ table }) => table === 'auth_throttle')?.rows).toBe(TEXTS.length);
	});

	it('copies one moment of a source with concurrent writes, and reports them', async () => {
		await fillSource(MANY);
		const server = await openSqlite(from);
		onTestFinished(() => server.close());
		const source = await openSnapshot(from);
		const copied = await fillPostgres(to, layouts, async (target) => {
			const busy = {
				rows: target.rows,
				add: async (...given: Parameters<typeof target.add>) => {
					await signSomebodyIn(server);
					await target.add(...given);
				}
			};
			return copyTables(layouts, source, busy);
		});
		expect(copied.find(({ table }) => table === 'user')?.rows).toBe(MANY + 1);
		expect(source.writtenSince()).toBe(true);
		source.close();
		const quiet = await openSnapshot(from);
		expect(quiet.writtenSince()).toBe(false);
		quiet.close();
	});

	it.each([
		['a text', '"user"', `new.name := new.name || ' '`],
		['a millisecond', '"user"', `new.created_at := new.created_at + interval '1 ms'`],
		['a boolean', 'user_data', 'new.is_trial_eligible := not new.is_trial_eligible'],
		['a null', 'auth_throttle', `new.failed_at := new.sent_at_1`],
		['a row', 'task_run', `if new.task = 'a' then return null; end if`]
	])(
		'the checksum detects %s that arrives differently, and leaves no copy',
		async (_, table, change) => {
			await fillSource();
			await migratePostgres(to);
			await onTarget(
				`create function tamper() returns trigger language plpgsql as $$ begin ${change}; return new; end $$`,
				`create trigger tamper before insert on ${table} for each row execute function tamper()`
			);
			await expect(copy()).rejects.toThrow(
				new RegExp(`^the table ${table.replaceAll('"', '')} differs after the copy`)
			);
			expect(await usersOnTarget()).toEqual({ count: 0 });
		}
	);

	it.each([
		[
			'a NUL byte',
			`update "user" set name = 'a' || char(0) || 'b'`,
			'user.name contains a NUL byte'
		],
		[
			'invalid UTF-8',
			`update "user" set name = cast(x'eda080' as text)`,
			'user.name is not valid UTF-8'
		],
		[
			'a fraction of a millisecond',
			`update session set expires_at = 1.5`,
			'session.expires_at holds 1.5'
		],
		['an invalid id', `update session set id = 'none'`, 'rows of the table session (22P02)'],
		[
			'a reference to a missing row',
			`pragma foreign_keys = off; delete from "user"`,
			'rows of the table session (23503 session_user_id_user_id_fk)'
		]
	])(
		'reports a value that PostgreSQL cannot store, with its place: %s',
		async (_, statement, message) => {
			const sql = await openSqlite(from);
			await signSomebodyIn(sql);
			await sql.close();
			changeSource(statement);
			await expect(copy()).rejects.toThrow(message);
			expect(await usersOnTarget()).toEqual({ count: 0 });
		}
	);

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
			...[
				['--from', from],
				['--from', from, '--to', from],
				['--from', to, '--to', to]
			],
			['--from', from, '--to', to, '--force']
		];
		for (const message of await Promise.all(tried.map((args) => refusal(...args)))) {
			expect(message).toContain(
				'npm run db:copy -- --from file:./data/postern.db --to postgres://'
			);
		}
	});

	it('a missing source, and does not create it', async () => {
		expect(await refusal('--from', from, '--to', to)).toContain('there is no database file');
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
		expect(closed).toContain('does not respond. Check the host and the port (ECONNREFUSED)');
		expect(closed).not.toContain('secretly');
		expect(missing).toContain('Check the database, user, password and permissions (3D000)');
	});

	it('a target with rows or with tables of other programs, and does not migrate it', async () => {
		await (await openSqlite(from)).close();
		await onTarget('create table purchase (id int)');
		expect(await refusal('--from', from, '--to', to)).toContain(
			'the target database contains a table purchase that Postern did not create'
		);
		await onTarget(
			'insert into purchase values (1)',
			'create schema drizzle',
			'create table drizzle.__drizzle_migrations (id int, hash text, created_at bigint)'
		);
		expect(await refusal('--from', from, '--to', to)).toContain(
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
	it('with another encoding than UTF-8 is refused', async () => {
		await (await openSqlite(from)).close();
		await dropDatabase(inject('postgresUrl'), to);
		const admin = postgres(inject('postgresUrl'), { max: 1 });
		await admin.unsafe(
			`create database "${new URL(to).pathname.slice(1)}" template template0 encoding 'LATIN1' locale 'C'`
		);
		await admin.end();
		await expect(copy()).rejects.toThrow('is encoded in LATIN1');
	});

	it('blocks other writers during the copy', async () => {
		await fillSource();
		await migratePostgres(to);
		const source = await openSnapshot(from);
		await fillPostgres(to, layouts, async (target) => {
			await expect(
				onTarget(`set lock_timeout = '50ms'`, `insert into task_run values ('other', 'day')`)
			).rejects.toMatchObject({ code: '55P03' });
			return copyTables(layouts, source, target);
		});
		source.close();
	});
});
