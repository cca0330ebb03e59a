import { closeSync, existsSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Database } from 'better-sqlite3';
import type { DoneMigration } from '../sql/migrations.ts';
import { Refused } from '../sql/refused.ts';
import { journalOf, openReadOnly, tableNames } from './read-only.ts';

export interface Backup {
	readonly bytes: number;
	/** In all tables together. */
	readonly rows: number;
}

/** Pages a step, which is all of them. */
const ALL = 0x7fffffff;

/**
 * Writes the database of `url`, as it is at this moment, to a new file, while others go on writing
 * to it. The file appears under its name only when it is complete and was verified, has no side
 * files and is its owner's alone. The database is not migrated: it can be of another version.
 * @throws Refused when the file exists, there is no database, or the copy is not whole.
 */
export const backupSqlite = async (url: string, file: string): Promise<Backup> => {
	if (existsSync(file)) throw new Refused(`${file} exists already: choose another name`);
	if (!existsSync(dirname(file))) {
		throw new Refused(`there is no folder ${dirname(file)}: create it first`);
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
		// It comes with the mode of the original, which needs side files.
		copy.pragma('journal_mode = DELETE');
		const damage = copy.pragma('integrity_check(1)', { simple: true });
		if (damage !== 'ok') {
			throw new Refused(`the copy is damaged (${String(damage)}), and so may the database be`);
		}
		if ((copy.pragma('foreign_key_check') as unknown[]).length > 0) {
			throw new Refused('the copy holds rows that refer to nothing, and so may the database');
		}
		if (!isDeepStrictEqual(contentsOf(copy), expected)) {
			throw new Refused('the copy does not hold what the database holds: try again');
		}
	} finally {
		copy.close();
	}
};
