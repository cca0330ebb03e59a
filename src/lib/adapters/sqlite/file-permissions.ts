import { chmodSync, lstatSync, realpathSync } from 'node:fs';
import { storeFault } from '../sql/sql.ts';

/** SQLite stores pages of the database in these files beside it. */
const SIDE_FILES = ['-wal', '-shm', '-journal'];
const OWNER_ONLY = 0o600;

/**
 * Removes all permissions of other users from an existing database and its side files, because
 * they hold email addresses and names. Reports what it changed, and where it failed, why.
 *
 * It works by path, not by descriptor: closing a file would release the locks that SQLite holds
 * on it in this process. It follows a link to the database, as SQLite does, and finds the side
 * files beside the real file. It ignores a side file that is a link, because SQLite refuses to
 * open it.
 */
export const narrowPermissions = (path: string, say: (line: string) => void): void => {
	// Windows uses access lists instead, and every mode there looks the same.
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
	// Another process closed the database meanwhile, which removes the side files.
	if (after === null) return;
	say(
		isNarrow(after)
			? `${found}, so other users of this machine could read it. The permissions are now ${octal(after)}`
			: `warning: ${found}, so other users of this machine may read it. The permissions could not be changed to 0600: ${reason(failure)}`
	);
};

/** The permissions of a regular file. Null for anything else. */
const modeOf = (file: string): number | null => {
	const stats = lstatSync(file, { throwIfNoEntry: false });
	return stats?.isFile() === true ? stats.mode & 0o777 : null;
};

const isNarrow = (mode: number): boolean => (mode & ~OWNER_ONLY) === 0;

const octal = (mode: number): string => mode.toString(8).padStart(4, '0');

/** Null, or the error code of the system. */
const change = (file: string, mode: number): string | null => {
	try {
		chmodSync(file, mode);
		return null;
	} catch (error) {
		return storeFault(error).reason;
	}
};

const REASONS: Readonly<Record<string, string>> = {
	EPERM: 'it belongs to another user (EPERM). Make the user that runs Postern its owner',
	EACCES: 'it belongs to another user (EACCES). Make the user that runs Postern its owner',
	EROFS: 'its file system is read-only (EROFS). Change the permissions there'
};

const reason = (failure: string | null): string =>
	failure === null
		? 'its file system does not support permissions. Deny other users access to its folder, or use another file system'
		: (REASONS[failure] ?? `the system refused (${failure}). Run chmod 600 on it`);
