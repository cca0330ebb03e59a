import { closeSync, existsSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Database } from 'better-sqlite3';
import type { DoneMigration } from '../sql/migrations.ts';
import { OperatorError } from '#lib/operator-messages.ts';
import { journalOf, openReadOnly, tableNames } from './read-only.ts';

interface Backup {
	readonly bytes: number;
	readonly rows: number;
}

/** Pages per step, large enough to copy all of them in one step. */
const ALL = 0x7fffffff;

/**
 * Writes the current state of the database of `url` to a new file, while other processes write to
 * it. The file gets its name only when it is complete and verified. It has no side files, and
 * only its owner can read it. The database is not migrated, so it can be of another version.
 *
 * @throws OperatorError when the file exists, there is no database, or the copy is incomplete.
 */
export const backupSqlite = async (url: string, file: string): Promise<Backup> => {
	if (existsSync(file)) throw new OperatorError(`${file} already exists. Choose another name`);
	if (!existsSync(dirname(file))) {
		throw new OperatorError(`there is no folder ${dirname(file)}. Create it first`);
	}
	const { client } = await openReadOnly(url);
	const partial = `${file}.partial-${process.pid}`;
	try {
		const expected = contentsOf(client);
		closeSync(openSync(partial, 'wx', 0o600));
		await client.backup(partial, { progress: () => ALL });
		await verify(partial, expected);
		renameSync(partial, file);
		const rows = Object.values(expected.rows).reduce((sum, count) => sum + count, 0);
		return { bytes: statSync(file).size, rows };
	} finally {
		client.close();
		for (const rest of ['', '-journal', '-wal', '-shm']) rmSync(partial + rest, { force: true });
	}
};

interface Contents {
	readonly journal: readonly DoneMigration[];
	readonly rows: Readonly<Record<string, number>>;
}

const contentsOf = (client: Database): Contents => ({
	journal: journalOf(client),
	rows: Object.fromEntries(
		tableNames(client).map((table) => [
			table,
			client.prepare<[], number>(`select count(*) from "${table}"`).pluck().get() ?? 0
		])
	)
});

const verify = async (path: string, expected: Contents): Promise<void> => {
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
		if ((copy.pragma('foreign_key_check') as unknown[]).length > 0) {
			throw new OperatorError(
				'the copy contains rows with missing references, and the database may too'
			);
		}
		if (!isDeepStrictEqual(contentsOf(copy), expected)) {
			throw new OperatorError('the copy differs from the database. Try again');
		}
	} finally {
		copy.close();
	}
};
