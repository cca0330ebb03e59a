import { OperatorError, printError } from '#lib/operator-messages.ts';
import { storeFault } from '#lib/adapters/sql/sql.ts';
import { printable } from './printable.ts';

/** Runs a command. An error ends it with plain lines, without a stack, and this exit code. */
export const runCli = async (
	work: (refuse: (line: string) => void) => Promise<void> | void,
	exitCode = 1
): Promise<void> => {
	const refuse = (line: string): void => {
		printError(printable(line));
		process.exitCode = exitCode;
	};
	try {
		await work(refuse);
	} catch (error) {
		explain(error).split('\n').forEach(refuse);
	}
};

const explain = (error: unknown): string => {
	if (error instanceof OperatorError) return error.message;
	const { reason } = storeFault(error);
	const isWrongArgument = error instanceof Error && reason.startsWith('ERR_PARSE_ARGS_');
	// Node explains a wrong option in further lines.
	return isWrongArgument ? error.message.replace(/\n.*/s, '') : explainCode(reason);
};

/** The usual causes behind error codes of the system and of the databases. */
const MEANINGS: readonly (readonly [RegExp, string])[] = [
	[/^(?:ENOSPC|SQLITE_FULL|53100)$/, 'the disk is full. Free some space'],
	[/^(?:EACCES|EPERM|EROFS|SQLITE_READONLY.*)$/, 'the file cannot be written. Check its folder'],
	[/^(?:ENOENT|ENOTDIR|EISDIR|EEXIST)$/, 'a file is missing or in the way. Check the paths'],
	[/^SQLITE_(?:BUSY|LOCKED)/, 'another process uses the SQLite database. Try again in a moment'],
	[/^SQLITE_(?:CORRUPT|NOTADB)/, 'the SQLite database is damaged. Restore a backup'],
	[
		/^(?:SQLITE_ERROR|42P01|42703)$/,
		'a table or column of the database is missing. Restore a backup'
	],
	[/^SQLITE_/, 'the SQLite database cannot be used. Run this as the user of the server'],
	[/^53300$/, 'the database server has no free connection. Stop a program, or raise its limit'],
	[
		/^(?:ECONN|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_|CONNECT|08|57P)/,
		'the database server does not respond. Check the host and the port'
	],
	[
		/^(?:28|3D|42501)/,
		'the database server refused the connection. Check the database, user, password (PGPASSWORD) and permissions'
	],
	[/^55P03$/, 'another process uses the target database. Stop the server there'],
	[/^(?:[A-Z][a-z]+)*Error$/, 'this is a fault in Postern. Report it']
];

/** Prints no text of the error: a driver's message can hold email addresses and hashes. */
const explainCode = (code: string): string => {
	const meaning = MEANINGS.find(([codes]) => codes.test(code))?.[1];
	return `${meaning ?? 'the command failed for an unknown reason'} (${code})`;
};
