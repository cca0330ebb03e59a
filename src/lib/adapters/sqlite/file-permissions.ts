import { chmodSync, lstatSync, realpathSync } from 'node:fs';
import { storeFault } from '../sql/sql.ts';

/** What SQLite keeps beside the database, which holds pages of it. */
const SIDE_FILES = ['-wal', '-shm', '-journal'];
const OWNER_ONLY = 0o600;

/**
 * Takes every permission that others have from an existing database and its side files: they hold
 * email addresses and names. Says what it changed, and where it cannot, why not.
 *
 * By path, not by descriptor: to open and close a file would drop the locks that SQLite holds on it in
 * this process. A link to the database is followed, as SQLite does, which puts the side files beside
 * the real file. A side file that is a link is left alone: SQLite refuses to open it.
 */
export const narrowPermissions = (path: string, say: (line: string) => void): void => {
	// Windows keeps access lists instead, and every mode there looks the same.
	if (process.platform === 'win32') return;
	const file = realpathSync(path);
	for (const each of [file, ...SIDE_FILES.map((suffix) => file + suffix)]) narrow(each, say);
};

const narrow = (file: string, say: (line: string) => void): void => {
	const before = modeOf(file);
	if (before === null || isNarrow(before)) return;
	const found = `${file} had the permissions ${octal(before)}`;
	const failure = change(file, before & OWNER_ONLY);
	const after = modeOf(file);
	// Another process has closed the database meanwhile, which removes the side files.
	if (after === null) return;
	say(
		isNarrow(after)
			? `${found}, so other users of this machine could read it. They are ${octal(after)} now`
			: `warning: ${found}, so other users of this machine may read it. They could not be narrowed to 0600: ${reason(failure)}`
	);
};

/** The permissions of a regular file; null for anything else. */
const modeOf = (file: string): number | null => {
	const stats = lstatSync(file, { throwIfNoEntry: false });
	return stats?.isFile() === true ? stats.mode & 0o777 : null;
};

const isNarrow = (mode: number): boolean => (mode & ~OWNER_ONLY) === 0;

const octal = (mode: number): string => mode.toString(8).padStart(4, '0');

/** Null, or the code of what the system answered. */
const change = (file: string, mode: number): string | null => {
	try {
		chmodSync(file, mode);
		return null;
	} catch (error) {
		return storeFault(error).reason;
	}
};

const REASONS: Readonly<Record<string, string>> = {
	EPERM: 'it belongs to another user (EPERM). Give it to the user that runs Postern',
	EACCES: 'it belongs to another user (EACCES). Give it to the user that runs Postern',
	EROFS: 'its file system is read-only (EROFS). Narrow them there'
};

const reason = (failure: string | null): string =>
	failure === null
		? 'its file system keeps no permissions. Close its folder to other users, or put it on another file system'
		: (REASONS[failure] ?? `the system refused (${failure}). Run chmod 600 on it`);
