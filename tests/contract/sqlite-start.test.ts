import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { networkFilesystem } from '#lib/adapters/sqlite/file.ts';
import { openSqlite } from '#lib/adapters/sqlite/open.ts';
import { startInstance } from '../support/instance.ts';

/** What a start says that fails. */
const refused = (path: string): Promise<string> =>
	openSqlite(`file:${path}`).then(
		() => 'it started',
		(error: unknown) => (error instanceof Error ? error.message : String(error))
	);

describe('a start on SQLite', () => {
	let folder: string;
	const at = (name: string) => join(folder, name);
	beforeEach(async () => {
		folder = await mkdtemp(join(tmpdir(), 'postern-start-'));
		// For the other user below.
		await chmod(folder, 0o755);
	});
	afterEach(async () => {
		await chmod(folder, 0o755);
		await rm(folder, { recursive: true, force: true });
	});

	it('M21: on a file that is something else says so and leaves it alone', async () => {
		for (const text of ['a letter to Ada\n'.repeat(100), 'short']) {
			await writeFile(at('letter.txt'), text);
			expect(await refused(at('letter.txt'))).toBe(
				`DATABASE_URL: ${at('letter.txt')} is not a SQLite database, or damaged (SQLITE_NOTADB). Name another file, or restore a backup`
			);
			expect(await readFile(at('letter.txt'), 'utf8')).toBe(text);
		}
	});

	it('M21: on an empty file starts, as on none', async () => {
		await writeFile(at('postern.db'), '');
		await (await openSqlite(`file:${at('postern.db')}`)).close();
		await (await openSqlite(`file:${at('new/folder/postern.db')}`)).close();
	});

	it('M21: on a folder, and below a file, says what to name instead', async () => {
		await mkdir(at('postern.db'));
		expect(await refused(at('postern.db'))).toMatch(
			/^DATABASE_URL: \S+postern\.db is a folder\. Name /
		);
		await writeFile(at('file'), '');
		for (const below of ['file/postern.db', 'file/folder/postern.db']) {
			expect(await refused(at(below))).toMatch(
				/^DATABASE_URL: the folder .+ cannot be used \((ENOTDIR|EEXIST)\)\. Part of it is a file/
			);
		}
	});

	it.skipIf(process.platform === 'win32')(
		'M21: on what its user may not read or write says so',
		async () => {
			const user = process.getuid?.() === 0 ? { user: 65534 } : {};
			await (await openSqlite(`file:${at('postern.db')}`)).close();
			const instance = await startInstance();
			const url = `file:${at('postern.db')}`;
			const unwritable =
				/^DATABASE_URL: \S+postern\.db cannot be read and written \(EACCES\)\. Let /;
			await chmod(at('postern.db'), 0o000);
			expect(await instance.open(url, user)).toMatch(unwritable);
			await chmod(at('postern.db'), 0o444);
			expect(await instance.open(url)).toMatch(unwritable);
			await chmod(at('postern.db'), 0o666);
			await chmod(folder, 0o555);
			expect(await instance.open(url)).toMatch(
				/^DATABASE_URL: the folder \S+ cannot be written, where SQLite keeps its journal \(EACCES\)\. Let /
			);
			expect(await instance.open(`file:${at('new/postern.db')}`)).toMatch(
				/^DATABASE_URL: the folder \S+ cannot be used \(EACCES\)\. Let /
			);
			await instance.kill();
		}
	);

	it('M21: on a damaged database says that in one line', async () => {
		await (await openSqlite(`file:${at('postern.db')}`)).close();
		const bytes = await readFile(at('postern.db'));
		await writeFile(at('postern.db'), bytes.fill(0xff, 100, 8192));
		expect(await refused(at('postern.db'))).toMatch(
			/^DATABASE_URL: \S+ is not a SQLite database, or damaged \(SQLITE_\w+\)\. .+$/
		);
	});

	it('M15: waits for another process that keeps the database locked', async () => {
		await (await openSqlite(`file:${at('postern.db')}`)).close();
		const instance = await startInstance();
		const other = new Sqlite(at('postern.db'));
		other.exec('begin immediate');
		const opened = instance.open(`file:${at('postern.db')}`);
		const first = await Promise.race([opened, new Promise((r) => setTimeout(r, 300, 'waits'))]);
		other.exec('rollback');
		expect(first).toBe('waits');
		expect(await opened).toBeNull();
		other.close();
		await instance.kill();
	});

	it.each([
		[0x6969, 'NFS'],
		[0x517b, 'SMB'],
		[0xfe534d42, 'SMB'],
		[0xff534d42, 'CIFS'],
		[0xff534d42 | 0, 'CIFS'],
		[0xef53, null],
		[0x9123683e, null],
		[0x794c7630, null],
		[0x01021994, null],
		[26, null],
		[0, null]
	])('M21: a filesystem of type %i that others share is known: %s', (type, name) => {
		expect(networkFilesystem(type)).toBe(name);
	});
});
