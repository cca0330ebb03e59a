import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Sql } from '#lib/adapters/sql/sql.ts';
import { sqlStores } from '#lib/adapters/sql/stores.ts';
import { openSqlite } from '#lib/adapters/sqlite/open.ts';
import { aChallenge, anAttempt, ada, aRedemption, at, policy } from '../stores/examples.ts';

const clientOf = (sql: Sql): Database => Reflect.get(sql.db, '$client') as Database;

describe('the SQLite database', () => {
	let folder: string;
	let sql: Sql;
	const path = () => join(folder, 'data', 'postern.db');
	const mask = process.umask();
	beforeAll(() => {
		// The widest umask, so that the modes are those that the program sets.
		if (process.platform !== 'win32') trySetMask(0);
	});
	beforeEach(async () => {
		folder = await mkdtemp(join(tmpdir(), 'postern-file-'));
		sql = await openSqlite(`file:${path()}`);
	});
	afterEach(async () => {
		await sql.close();
		await rm(folder, { recursive: true, force: true });
	});
	afterAll(() => trySetMask(mask));

	it.skipIf(process.platform === 'win32')(
		'is readable by its owner only, side files and folder included',
		async () => {
			await sqlStores(sql).challenges.issue(aChallenge(), at(0));
			const files = await readdir(join(folder, 'data'));
			expect(files.sort()).toEqual(['postern.db', 'postern.db-shm', 'postern.db-wal']);
			for (const file of files) {
				expect((await stat(join(folder, 'data', file))).mode & 0o777).toBe(0o600);
			}
			expect((await stat(join(folder, 'data'))).mode & 0o777).toBe(0o700);
		}
	);

	it('M03: its settings write through to the disk, enforce foreign keys and never block the event loop', () => {
		const pragma = (name: string) => clientOf(sql).pragma(name, { simple: true });
		expect(pragma('journal_mode')).toBe('wal');
		expect(pragma('synchronous')).toBe(2);
		expect(pragma('foreign_keys')).toBe(1);
		expect(pragma('busy_timeout')).toBe(0);
		expect(pragma('wal_autocheckpoint')).toBe(100);
	});

	it('M06: a lock of another process is an error that contains only the error code', async () => {
		const { challenges, signIns } = sqlStores(sql);
		const challenge = aChallenge();
		await challenges.issue(challenge, at(0));
		const other = await openSqlite(`file:${path()}`);
		clientOf(other).exec('begin immediate');
		const busy = { name: 'StoreUnavailable', reason: 'SQLITE_BUSY' };
		const writers = [
			challenges.countAttempt(anAttempt(), at(1), policy),
			signIns.redeem(aRedemption(challenge))
		];
		for (const writer of writers) writer.catch(() => undefined);
		// Readers do not wait.
		expect(
			await sqlStores(sql).challenges.latestOf(challenge.secretHash as never, 'sign_in')
		).toBeNull();
		for (const writer of writers) await expect(writer).rejects.toMatchObject(busy);
		clientOf(other).exec('rollback');
		await other.close();
		expect(await signIns.redeem(aRedemption(challenge))).toMatchObject({ user: { email: ada } });
	});

	it('a query on a closed database throws StoreUnavailable', async () => {
		const { challenges, signIns } = sqlStores(sql);
		await sql.close();
		const fault = { name: 'StoreUnavailable', reason: 'TypeError' };
		await expect(challenges.countAttempt(anAttempt(), at(1), policy)).rejects.toMatchObject(fault);
		await expect(signIns.redeem(aRedemption(aChallenge()))).rejects.toMatchObject(fault);
	});

	it('closing removes the write-ahead log', async () => {
		await sqlStores(sql).challenges.issue(aChallenge(), at(0));
		await sql.close();
		expect(existsSync(`${path()}-wal`)).toBe(false);
	});
});

/** Worker threads may not change it; then the modes are tested under the current umask. */
const trySetMask = (mask: number): void => {
	try {
		process.umask(mask);
	} catch {
		return;
	}
};
