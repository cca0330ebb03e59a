import { createHash } from 'node:crypto';
import { readMigrationFiles, type MigrationMeta } from 'drizzle-orm/migrator';
import { Refused } from './refused.ts';

/** A row of the journal table: a migration that has run. */
export interface DoneMigration {
	readonly hash: string;
	/** When drizzle-kit wrote it, in milliseconds; in the journal this is its identity. */
	readonly at: number;
}

/** What this program ships for an engine, oldest first, from the folder it runs in. */
export const shippedMigrations = (engine: 'sqlite' | 'postgres'): readonly MigrationMeta[] => {
	try {
		return readMigrationFiles({ migrationsFolder: `drizzle/${engine}` });
	} catch {
		throw new Refused(
			`drizzle/${engine} is missing or incomplete here. Start Postern in the folder it is installed in`
		);
	}
};

/**
 * What is still to run. The journal must be the beginning of what is shipped: a later migration
 * means a schema this program does not know, and a different one in between a schema that nobody
 * has tested. Writing into either could spoil it.
 *
 * @throws Refused for both
 */
export const pendingMigrations = (
	shipped: readonly MigrationMeta[],
	done: readonly DoneMigration[]
): readonly MigrationMeta[] => {
	const newest = shipped.at(-1)?.folderMillis ?? 0;
	if (done.some(({ at }) => at > newest)) {
		throw new Refused(
			'the database was migrated by a newer version of Postern. Start that version, or restore a backup made before the upgrade'
		);
	}
	for (const [index, { hash, at }] of done.entries()) {
		const known = shipped[index];
		if (known?.folderMillis === at && hashesOf(known).includes(hash)) continue;
		throw new Refused(
			`migration ${numbered(index)} of the database is not the one of this version. Start the version that ran it, or restore a backup`
		);
	}
	return shipped.slice(done.length);
};

/** For a migration the database refused, when all that was done in its transaction is undone. */
export const migrationFailed = (index: number, why: string): Refused =>
	new Refused(
		`migration ${numbered(index)} failed and nothing was changed (${why.replace(/\s+/g, ' ')}). Start the version that ran before, and report this`
	);

/** As its file begins. */
const numbered = (index: number): string => String(index).padStart(4, '0');

/** With either kind of line end: a checkout on Windows may have turned them. */
const hashesOf = ({ sql }: MigrationMeta): readonly string[] => {
	const text = sql.join('--> statement-breakpoint').replaceAll('\r\n', '\n');
	return [text, text.replaceAll('\n', '\r\n')].map((spelling) =>
		createHash('sha256').update(spelling).digest('hex')
	);
};
