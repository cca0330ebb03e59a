import { OperatorError } from '#lib/adapters/sql/operator-error.ts';
import { storeFault } from '#lib/adapters/sql/sql.ts';

export type Say = (line: string) => void;

/**
 * Runs a script's work. An error ends it with one plain line, without a stack, and exit code 1.
 */
export const runCli = async (
	work: (say: Say, refuse: Say) => Promise<void> | void
): Promise<void> => {
	const refuse: Say = (line) => {
		console.error(`[postern] ${line}`);
		process.exitCode = 1;
	};
	try {
		await work((line) => console.log(`[postern] ${line}`), refuse);
	} catch (error) {
		refuse(
			error instanceof OperatorError ? error.message : describeFault(storeFault(error).reason)
		);
	}
};

/** The usual causes behind error codes of the system and of the databases. */
const MEANINGS: readonly (readonly [RegExp, string])[] = [
	[/^(?:ENOSPC|SQLITE_FULL|53100)$/, 'the disk is full: make room'],
	[/^(?:EACCES|EPERM|EROFS|SQLITE_READONLY.*)$/, 'the file may not be written: check its folder'],
	[/^SQLITE_/, 'the SQLite database cannot be read: run this as the user of the server'],
	[/^(?:E|CONNECT|08|57P)/, 'the database server does not answer: check host and port'],
	[/^(?:28|3D|42501)/, 'the database server refuses: check database, user, password and rights'],
	[/^55P03$/, 'somebody uses the target database: stop the server there']
];

/** Prints only the code: a driver's message can hold addresses and hashes. */
const describeFault = (code: string): string => {
	const meaning = MEANINGS.find(([codes]) => codes.test(code))?.[1];
	return meaning === undefined ? `it failed (${code})` : `${meaning} (${code})`;
};
