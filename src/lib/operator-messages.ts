export const say = (line: string): void => console.log(`[postern] ${line}`);

/** Prints a line to the error output, for a program whose result is on the standard output. */
export const printError = (line: string): void => console.error(`[postern] ${line}`);

export const refuseStart = (lines: readonly string[]): never => {
	lines.forEach(printError);
	process.exit(1);
};

/** The code of an error, such as ENOENT, or else its text. */
export const reasonOf = (error: unknown): string =>
	error instanceof Error && 'code' in error ? String(error.code) : String(error);

/**
 * Why a start or a command cannot go on. The message is one plain line for the operator, or a few:
 * what is wrong and how to fix it. It contains no data of a row and no password.
 */
export class OperatorError extends Error {
	override readonly name = 'OperatorError';
}
