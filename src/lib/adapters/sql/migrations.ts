import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readMigrationFiles, type MigrationMeta } from 'drizzle-orm/migrator';
import { OperatorError } from '#lib/operator-messages.ts';

export interface DoneMigration {
	readonly hash: string;
	/** Milliseconds, when drizzle-kit wrote it. The journal identifies a migration by this. */
	readonly at: number;
}

/**
 * The folder of the build that this process runs from, whatever its working directory is. A process
 * that runs from sources uses its working directory.
 */
const installation = (): string =>
	/^(.*)[\\/]build[\\/]server[\\/][^\\/]+$/.exec(process.argv[1] ?? '')?.[1] ?? '.';

export const shippedMigrations = (engine: 'sqlite' | 'postgres'): readonly MigrationMeta[] => {
	try {
		return readMigrationFiles({ migrationsFolder: join(installation(), 'drizzle', engine) });
	} catch {
		throw new OperatorError(
			`drizzle/${engine} is missing or incomplete. It belongs beside the folder "build"`
		);
	}
};

/**
 * The migrations still to run. The journal must be the beginning of the shipped list. A later
 * migration means a schema that this program does not know. A different migration in between
 * means a schema that was never tested. Writing to either could damage it.
 *
 * @throws OperatorError for both
 */
export const pendingMigrations = (
	shipped: readonly MigrationMeta[],
	done: readonly DoneMigration[]
): readonly MigrationMeta[] => {
	const newest = shipped.at(-1)?.folderMillis ?? 0;
	if (done.some(({ at }) => at > newest)) {
		throw new OperatorError(
			'the database was migrated by a newer version of Postern. Start that version, or restore a backup made before the upgrade'
		);
	}
	for (const [index, { hash, at }] of done.entries()) {
		const known = shipped[index];
		if (isDeepStrictEqual([known?.folderMillis, known?.hash], [at, hash])) continue;
		throw new OperatorError(
			`migration ${numbered(index)} in the database differs from the one in this version. Start the version that ran it, or use another database`
		);
	}
	return shipped.slice(done.length);
};

/** For a migration that the database refused. Its transaction is rolled back. */
export const migrationFailed = (index: number, why: string): OperatorError =>
	new OperatorError(
		`migration ${numbered(index)} failed, and nothing was changed (${why.replace(/\s+/g, ' ')}). Start the previous version, and report this error`
	);

const numbered = (index: number): string => String(index).padStart(4, '0');
