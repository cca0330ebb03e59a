/** Takes news of a fault: where it happened, and what was thrown. */
export type Log = (where: string, fault: unknown) => void;

export interface ConsoleLines {
	/** One line to standard output, as it is. */
	readonly write: (line: string) => void;
	/** One line to standard error per fault. */
	readonly fault: Log;
}

export const consoleLines = (): ConsoleLines => ({
	write: (line) => console.log(line),
	fault: (where, fault) => console.error(`[postern] fault at ${where}: ${oneLine(fault)}`)
});

/** The stack tells the place of a bug; line breaks would make one event look like many. */
const oneLine = (fault: unknown): string =>
	(fault instanceof Error ? (fault.stack ?? fault.message) : String(fault)).replace(
		/\s*\n\s*/g,
		' | '
	);
