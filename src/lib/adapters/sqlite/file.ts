import {
	chmodSync,
	closeSync,
	existsSync,
	lstatSync,
	mkdirSync,
	openSync,
	realpathSync,
	statfsSync
} from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OperatorError } from '#lib/operator-messages.ts';
import { storeFault } from '../sql/sql.ts';

/** The path in a URL such as `file:./data/postern.db`. */
export const databasePath = (url: string): string =>
	url.startsWith('file://') ? fileURLToPath(url) : url.replace(/^file:/, '');

/**
 * Creates the missing folder and file of a database, readable only by the owner. SQLite gives its
 * side files the mode of the main file.
 *
 * It does not open an existing file: closing it would release the locks that SQLite may hold on
 * it in this process.
 *
 * @throws OperatorError on a network, where SQLite would fail silently
 */
export const prepareFile = (path: string): void => {
	const folder = dirname(path);
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
	const network = networkFilesystem(statfsSync(path).type);
	if (network !== null) {
		throw operatorError(
			`${path} is on a network filesystem (${network}), where the shared memory of SQLite's journal does not work. Move it to a local disk, or use PostgreSQL`
		);
	}
};

/**
 * Describes an error while a database file is created or opened, as a line for the operator. Other
 * errors are not about the file, such as that of a driver that does not load.
 */
export const openingFault = (path: string, error: Error): Error => {
	const { reason } = storeFault(error);
	if (!/^(?:SQLITE_|E[A-Z]+$)/.test(reason)) return error;
	return operatorError(
		reason === 'SQLITE_NOTADB' || reason === 'SQLITE_CORRUPT'
			? `${path} is not a SQLite database, or it is damaged (${reason}). Use another file, or restore a backup`
			: `${path} cannot be opened (${reason}). ${remedy(reason)}`
	);
};

/** The numbers that `statfs` returns on Linux. Other systems do not use these numbers. */
const NETWORK: ReadonlyMap<number, string> = new Map([
	[0x6969, 'NFS'],
	[0x517b, 'SMB'],
	[0xfe534d42, 'SMB'],
	[0xff534d42, 'CIFS']
]);

export const networkFilesystem = (type: number): string | null => NETWORK.get(type >>> 0) ?? null;

const operatorError = (why: string): OperatorError => new OperatorError(`DATABASE_URL: ${why}`);

const remedy = (code: string): string => {
	if (/^(ENOSPC|EDQUOT|SQLITE_FULL)$/.test(code)) return 'The disk is full. Free some space';
	if (code.startsWith('SQLITE_BUSY'))
		return 'Another process has locked it. Stop that process, or wait';
	return 'Name a file, in a folder where the user that runs Postern may write';
};

/** SQLite stores pages of the database in these files beside it. */
const SIDE_FILES = ['-wal', '-shm', '-journal'];

/**
 * Makes an existing database and its side files readable only by their owner, because they hold
 * email addresses and names. Reports each change and each failure.
 *
 * It works by path, not by descriptor: closing a file would release the locks that SQLite holds
 * on it in this process. It follows a link to the database, as SQLite does, but ignores a side file
 * that is a link, because SQLite refuses to open it.
 */
export const narrowPermissions = (path: string, say: (line: string) => void): void => {
	// Windows uses access lists instead, and every mode there looks the same.
	if (process.platform === 'win32') return;
	const database = realpathSync(path);
	for (const file of [database, ...SIDE_FILES.map((suffix) => database + suffix)]) {
		const mode = modeOf(file);
		if ((mode & 0o077) === 0) continue;
		try {
			chmodSync(file, mode & 0o600);
		} catch {
			// The line below says so. Some file systems ignore the call instead.
		}
		const found = `${file} had the permissions ${octal(mode)}`;
		say(
			(modeOf(file) & 0o077) === 0
				? `${found}, so other users of this machine could read it. The permissions are now ${octal(mode & 0o600)}`
				: `warning: ${found}, so other users of this machine may read it. They could not be changed to 0600`
		);
	}
};

/** 0 if there is no such file, also when SQLite has just removed it. */
const modeOf = (file: string): number => {
	const stats = lstatSync(file, { throwIfNoEntry: false });
	return stats?.isFile() === true ? stats.mode & 0o777 : 0;
};

const octal = (mode: number): string => mode.toString(8).padStart(4, '0');
