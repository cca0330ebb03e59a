import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { narrowPermissions, networkFilesystem, openingFault } from '#lib/adapters/sqlite/file.ts';
import { openSqlite } from '#lib/adapters/sqlite/open.ts';
import { startFault, startInstance } from '../../support/process/instance.ts';

/** The error of a failed start. */
const refused = (path: string): Promise<string> => startFault(openSqlite(`file:${path}`));

describe('a start on SQLite', () => {
	let folder: string;
	const at = (name: string) => join(folder, name);
	const modeOf = async (name: string): Promise<string> =>
		((await stat(at(name))).mode & 0o777).toString(8);
	beforeEach(async () => {
		folder = await mkdtemp(join(tmpdir(), 'postern-start-'));
		// Lets the other user below enter the folder.
		await chmod(folder, 0o755);
	});
	afterEach(async () => {
		await chmod(folder, 0o755);
		await rm(folder, { recursive: true, force: true });
	});

	it('M21: on a file that is not a database, says so and does not change it', async () => {
		for (const text of ['a letter to Ada\n'.repeat(100), 'short']) {
			await writeFile(at('letter.txt'), text);
			await chmod(at('letter.txt'), 0o644);
			expect(await refused(at('letter.txt'))).toBe(
				`DATABASE_URL: ${at('letter.txt')} is not a SQLite database, or it is damaged (SQLITE_NOTADB). Use another file, or restore a backup`
			);
			expect(await readFile(at('letter.txt'), 'utf8')).toBe(text);
			if (process.platform !== 'win32') expect(await modeOf('letter.txt')).toBe('644');
		}
	});

	it('M21: succeeds on an empty file, as on a missing one', async () => {
		await writeFile(at('postern.db'), '');
		await (await openSqlite(`file:${at('postern.db')}`)).close();
		await (await openSqlite(`file:${at('new/folder/postern.db')}`)).close();
	});

	it('M21: on a folder, and below a file, says what path to use instead', async () => {
		await mkdir(at('postern.db'));
		await writeFile(at('file'), '');
		for (const path of ['postern.db', 'file/postern.db', 'file/folder/postern.db']) {
			expect(await refused(at(path))).toMatch(
				/^DATABASE_URL: \S+postern\.db cannot be opened \(\w+\)\. Name a file, in a folder where /
			);
		}
	});

	it.skipIf(process.platform === 'win32')(
		'M21: on a path that its user may not read or write, says so',
		async () => {
			const user = process.getuid?.() === 0 ? { user: 65534 } : {};
			await (await openSqlite(`file:${at('postern.db')}`)).close();
			const instance = await startInstance();
			const url = `file:${at('postern.db')}`;
			const unwritable =
				/^DATABASE_URL: \S+postern\.db cannot be opened \(\w+\)\. Name a file, in /;
			await chmod(at('postern.db'), 0o000);
			expect(await instance.open(url, user)).toMatch(unwritable);
			await chmod(at('postern.db'), 0o444);
			expect(await instance.open(url)).toMatch(unwritable);
			await chmod(at('postern.db'), 0o666);
			await chmod(folder, 0o555);
			expect(await instance.open(url)).toMatch(unwritable);
			expect(await instance.open(`file:${at('new/postern.db')}`)).toMatch(unwritable);
			await instance.kill();
		}
	);

	/** Opens the database and returns the lines for the operator. */
	const linesOf = async (name: string): Promise<readonly string[]> => {
		const lines: string[] = [];
		const sql = await openSqlite(`file:${at(name)}`, { say: (line) => void lines.push(line) });
		await sql.close();
		return lines;
	};
	/** A database that another process has open, so that its side files are there. */
	const inUse = async () => {
		const other = await openSqlite(`file:${at('postern.db')}`);
		onTestFinished(() => other.close());
		return ['postern.db', 'postern.db-wal', 'postern.db-shm'];
	};
	const onUnix = it.skipIf(process.platform === 'win32');

	onUnix.each(['644', '640', '604', '666', '777'])(
		'N09: narrows a database and its side files with the permissions %s, and says so',
		async (mode) => {
			const files = await inUse();
			for (const file of files) await chmod(at(file), parseInt(mode, 8));
			expect(await linesOf('postern.db')).toEqual(
				files.map((file) =>
					expect.stringMatching(`${file} had the permissions 0${mode}, .* now 0600$`)
				)
			);
			expect(await Promise.all(files.map(modeOf))).toEqual(['600', '600', '600']);
			expect(await linesOf('postern.db')).toEqual([]);
		}
	);

	onUnix(
		'N09: prints nothing for a file that it created or that has narrow permissions',
		async () => {
			expect(await linesOf('postern.db')).toEqual([]);
			expect(await modeOf('postern.db')).toBe('600');
			expect(await linesOf('postern.db')).toEqual([]);
		}
	);

	onUnix('N09: follows a link to the database, but no link in place of a side file', async () => {
		const files = await inUse();
		for (const file of files) await chmod(at(file), 0o644);
		await symlink(at('postern.db'), at('link.db'));
		await writeFile(at('other'), '', { mode: 0o644 });
		await symlink(at('other'), at('postern.db-journal'));
		expect(await linesOf('link.db')).toHaveLength(3);
		expect(await Promise.all(files.map(modeOf))).toEqual(['600', '600', '600']);
		expect(await modeOf('other')).toBe('644');
		await rm(at('postern.db-journal'));
	});

	onUnix('N09: narrowing releases no lock of a process that has the database open', async () => {
		const [file = ''] = await inUse();
		const writer = new Sqlite(at(file));
		writer.exec('begin immediate');
		await chmod(at(file), 0o644);
		narrowPermissions(at(file), () => undefined);
		const other = new Sqlite(at(file), { timeout: 0 });
		expect(() => other.exec('begin immediate')).toThrow('locked');
		writer.exec('rollback');
		for (const client of [writer, other]) client.close();
	});

	// Only root can act as another user. That user may be unable to read the code, so the code is loaded.
	it.runIf(process.getuid?.() === 0)(
		'N09: for a file of another user, a line says that it could not be narrowed',
		async () => {
			await writeFile(at('postern.db'), '');
			await chmod(at('postern.db'), 0o666);
			const lines: string[] = [];
			process.seteuid?.(65534);
			try {
				narrowPermissions(at('postern.db'), (line) => void lines.push(line));
			} finally {
				process.seteuid?.(0);
			}
			expect(lines).toEqual([
				expect.stringMatching(
					/^warning: \S+postern\.db had the permissions 0666, .* They could not be changed to 0600$/
				)
			]);
			expect(await modeOf('postern.db')).toBe('666');
		}
	);

	it('M21: on a damaged database, says so in one line', async () => {
		await (await openSqlite(`file:${at('postern.db')}`)).close();
		const bytes = await readFile(at('postern.db'));
		await writeFile(at('postern.db'), bytes.fill(0xff, 100, 8192));
		expect(await refused(at('postern.db'))).toMatch(
			/^DATABASE_URL: \S+ is not a SQLite database, or it is damaged \(SQLITE_\w+\)\. .+$/
		);
	});

	it('says itself what is wrong if its driver does not load', () => {
		const error = Object.assign(new Error('another Node.js'), { code: 'ERR_DLOPEN_FAILED' });
		expect(openingFault(at('postern.db'), error)).toBe(error);
	});

	it('M15: waits for another process that has the database locked', async () => {
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
		[0, null]
	])('M21: the network filesystem of type %i is %s', (type, name) => {
		expect(networkFilesystem(type)).toBe(name);
	});
});
