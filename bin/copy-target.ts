import { readDatabase, type DatabaseSettings } from '#lib/config/database.ts';
import type { Checked } from '#lib/config/checked.ts';

export interface CopyTarget {
	readonly settings: DatabaseSettings;
	/** One line for each setting that is invalid or needs a warning. */
	readonly problems: readonly string[];
	readonly warnings: readonly string[];
}

/**
 * The database to fill: the one in the arguments, otherwise DATABASE_URL. As for the server,
 * DATABASE_TLS and DATABASE_CA decide how it is reached.
 */
export const readTarget = (to: string | undefined, env: NodeJS.ProcessEnv): CopyTarget => {
	const problems: string[] = [];
	const warnings: string[] = [];
	const value = (name: string): string | undefined =>
		(name === 'DATABASE_URL' ? (to ?? env[name]) : env[name])?.trim() || undefined;
	const note = <T>(name: string, outcome: Checked<T>, otherwise: T): T => {
		if (outcome.ok) return outcome.value;
		const shown = name === 'DATABASE_URL' && to !== undefined ? '--to' : name;
		problems.push(`${shown}: ${outcome.error.why}. ${outcome.error.fix}`);
		return otherwise;
	};
	const warn = (line: string): void => void warnings.push(line);
	if (to !== undefined && URL.canParse(to) && new URL(to).password !== '') {
		warn(
			'the arguments contain the password. Other users of this machine can see it, and the shell history keeps it. Next time, set PGPASSWORD or enter it when asked'
		);
	}
	return { settings: readDatabase({ value, note, warn }), problems, warnings };
};
