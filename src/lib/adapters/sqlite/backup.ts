import { closeSync, existsSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { OperatorError } from '#lib/operator-messages.ts';
import { openReadOnly } from './read-only.ts';

/** Pages per step, large enough to copy all of them in one step. */
const ALL = 0x7fffffff;

/**
 * Writes the current state of the database of `url` to a new file, while other processes write to
 * it. The file gets its name only when it is complete and verified. It has no side files, and
 * only its owner can read it. The database is not migrated, so it can be of another version.
 *
 * @returns how many bytes the file has
 * @throws OperatorError when the file exists, there is no database, or the copy is damaged.
 */
export const backupSqlite = async (url: string, file: string): Promise<number> => {
	if (existsSync(file)) throw new OperatorError(`${file} already exists. Choose another name`);
	const { client } = await openReadOnly(url);
	const partial = `${file}.partial-${process.pid}`;
	try {
		closeSync(openSync(partial, 'wx', 0o600));
		await client.backup(partial, { progress: () => ALL });
		await verify(partial);
		renameSync(partial, file);
		return statSync(file).size;
	} finally {
		client.close();
		for (const rest of ['', '-journal', '-wal', '-shm']) rmSync(partial + rest, { force: true });
	}
};

const verify = async (path: string): Promise<void> => {
	const { default: Client } = await import('better-sqlite3');
	const copy = new Client(path);
	try {
		// The copy inherits the journal mode of the original, which needs side files.
		copy.pragma('journal_mode = DELETE');
		const damage = copy.pragma('integrity_check(1)', { simple: true });
		if (damage !== 'ok') {
			throw new OperatorError(
				`the copy is damaged (${String(damage)}), and the database may be damaged too`
			);
		}
	} finally {
		copy.close();
	}
};
