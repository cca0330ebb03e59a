import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sqlStores } from '#lib/adapters/sql/stores.ts';
import { backupSqlite } from '#lib/adapters/sqlite/backup.ts';
import { openSqlite } from '#lib/adapters/sqlite/open.ts';
import { dbBackup } from '../../support/process/run-program.ts';
import { aChallenge, aRedemption, at, rounds } from '../stores/examples.ts';

let folder: string;
let path: string;
let url: string;
/** The folder for backups; nothing else is in it. */
let safe: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'postern-backup-'));
	path = join(folder, 'postern.db');
	url = `file:${path}`;
	safe = join(folder, 'safe');
	await mkdir(safe);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Reads a database file without any code of the product. */
const inside = <T>(file: string, look: (client: Sqlite.Database) => T): T => {
	const client = new Sqlite(file, { fileMustExist: true });
	try {
		return look(client);
	} finally {
		client.close();
	}
};
const countIn = (file: string, what: string): number =>
	inside(file, (client) => Number(client.prepare(`select count(*) from ${what}`).pluck().get()));

const signSomebodyIn = async (): Promise<void> => {
	const sql = await openSqlite(url);
	const { challenges, signIns } = sqlStores(sql);
	const challenge = aChallenge();
	await challenges.issue(challenge, at(0));
	await signIns.redeem(aRedemption(challenge));
	await sql.close();
};

describe('npm run db:backup', () => {
	let writer: ChildProcess;
	let acknowledged = 0;
	const startWriter = async (): Promise<void> => {
		acknowledged = 0;
		writer = fork(join(import.meta.dirname, 'busy-writer.ts'), [url]);
		writer.on('message', (done: number) => (acknowledged = done));
		await once(writer, 'message');
	};
	const stopWriter = async (): Promise<void> => {
		if (writer.exitCode !== null) return;
		writer.kill('SIGKILL');
		await once(writer, 'exit');
	};

	it('M17: during continuous writes it saves one moment, with every write acknowledged before', async () => {
		await startWriter();
		try {
			for (let round = 0; round < rounds(3, 30); round += 1) {
				const file = join(safe, `${round}.db`);
				const before = acknowledged;
				const { code, stdout, stderr } = await dbBackup(url, file);
				const after = acknowledged;
				expect([code, stderr]).toEqual([0, '']);
				// The writer goes on.
				await expect.poll(() => acknowledged).toBeGreaterThan(before);
				expect(writer.exitCode).toBeNull();
				expect(inside(file, (client) => client.pragma('integrity_check', { simple: true }))).toBe(
					'ok'
				);
				const kept = countIn(file, '"user"');
				expect(kept).toBeGreaterThanOrEqual(before);
				expect(kept).toBeLessThanOrEqual(after + 1);
				// A sign-in is one transaction: the account and its session are both there, or neither.
				expect(countIn(file, 'session')).toBe(kept);
				expect(countIn(file, '"user" u join session s on s.user_id = u.id')).toBe(kept);
				expect(stdout).toMatch(/^\[postern\] backed up .+: \d+ bytes, verified\n$/);
			}
		} finally {
			await stopWriter();
		}
		expect(await readdir(safe)).toHaveLength(rounds(3, 30));
	});

	it('a backup is one file that only its owner can read, and a server starts on it', async () => {
		await signSomebodyIn();
		const file = join(safe, 'postern.db');
		const bytes = await backupSqlite(url, file);
		expect(await readdir(safe)).toEqual(['postern.db']);
		const { mode, size } = await stat(file);
		if (process.platform !== 'win32') expect(mode & 0o777).toBe(0o600);
		expect(bytes).toBe(size);
		// These two bytes of the header mark the format without side files.
		expect([...(await readFile(file)).subarray(18, 20)]).toEqual([1, 1]);
		const restored = await openSqlite(`file:${file}`);
		expect(await restored.db.select().from(restored.tables.session)).toHaveLength(1);
		await restored.close();
	});

	it('backs up an older schema unchanged, so that an upgrade can be undone', async () => {
		const old = new Sqlite(path);
		old.exec(
			`create table __drizzle_migrations (id integer primary key, hash text, created_at numeric);
			insert into __drizzle_migrations (hash, created_at) values ('unheard-of', 1)`
		);
		old.close();
		const file = join(safe, 'old.db');
		await backupSqlite(url, file);
		for (const each of [path, file]) expect(countIn(each, '__drizzle_migrations')).toBe(1);
	});

	it('a damaged copy is not a backup, and is removed', async () => {
		await signSomebodyIn();
		// As on a failing disk: an index differs from its table.
		const bytes = await readFile(path);
		const hash = inside(path, (client) =>
			client.prepare('select token_hash from session').pluck().get()
		);
		bytes.write('X', bytes.indexOf(String(hash)));
		await writeFile(path, bytes);
		await expect(backupSqlite(url, join(safe, 'postern.db'))).rejects.toThrow(
			'the copy is damaged (row 1 missing from index session_token_hash_unique)'
		);
		expect(await readdir(safe)).toEqual([]);
	});

	it('refuses an impossible request in one line with exit code 1, and changes nothing', async () => {
		await (await openSqlite(url)).close();
		await writeFile(join(safe, 'taken.db'), 'the backup of yesterday');
		const [taken, postgres, nowhere, missing] = await Promise.all([
			dbBackup(url, join(safe, 'taken.db')),
			dbBackup('postgres://u:secretly@db.example.org/postern', join(safe, 'new.db')),
			dbBackup(url),
			dbBackup(url, join(safe, 'none', 'new.db'))
		]);
		for (const { code, stdout, stderr } of [taken, postgres, nowhere, missing]) {
			expect([code, stdout]).toEqual([1, '']);
			expect(stderr).toMatch(/^\[postern\] .+\n$/);
		}
		expect(taken.stderr).toContain('already exists. Choose another name');
		expect(postgres.stderr).toContain('Back it up with pg_dump');
		expect(nowhere.stderr).toContain('postern db-backup ');
		expect(missing.stderr).toContain('Check the paths (ENOENT)');
		expect(await readdir(safe)).toEqual(['taken.db']);
		expect(await readFile(join(safe, 'taken.db'), 'utf8')).toBe('the backup of yesterday');
	});

	it('refuses a missing or foreign database', async () => {
		const file = join(safe, 'new.db');
		await expect(backupSqlite(url, file)).rejects.toThrow('there is no database file');
		expect(existsSync(path)).toBe(false);
		await writeFile(path, '');
		await expect(backupSqlite(url, file)).rejects.toThrow('is not a Postern database');
		expect(await readdir(safe)).toEqual([]);
	});
});
