import { OperatorError, printError, say } from '#lib/say.ts';
import { storeFault } from '#lib/adapters/sql/sql.ts';

type Say = (line: string) => void;

/**
 * Runs a script's work. An error ends it with one plain line, without a stack, and exit code 1.
 */
export const runCli = async (
	work: (say: Say, refuse: Say) => Promise<void> | void
): Promise<void> => {
	const refuse: Say = (line) => {
		printError(line);
		process.exitCode = 1;
	};
	try {
		await work(say, refuse);
	} catch (error) {
		refuse(error instanceof OperatorError ? error.message : explainCode(storeFault(error).reason));
	}
};

/** The usual causes behind error codes of the system and of the databases. */
const MEANINGS: readonly (readonly [RegExp, string])[] = [
	[/^(?:ENOSPC|SQLITE_FULL|53100)$/, 'the disk is full. Free some space'],
	[/^(?:EACCES|EPERM|EROFS|SQLITE_READONLY.*)$/, 'the file cannot be written. Check its folder'],
	[/^SQLITE_/, 'the SQLite database cannot be read. Run this as the user of the server'],
	[/^(?:E|CONNECT|08|57P)/, 'the database server does not respond. Check the host and the port'],
	[
		/^(?:28|3D|42501)/,
		'the database server refused the connection. Check the database, user, password and permissions'
	],
	[/^55P03$/, 'another process uses the target database. Stop the server there']
];

/** Prints only the code: a driver's message can hold email addresses and hashes. */
const explainCode = (code: string): string => {
	const meaning = MEANINGS.find(([codes]) => codes.test(code))?.[1];
	return meaning === undefined ? `failed (${code})` : `${meaning} (${code})`;
};
