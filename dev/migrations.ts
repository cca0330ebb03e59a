import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import {
	generateDrizzleJson,
	generateMigration,
	generateSQLiteDrizzleJson,
	generateSQLiteMigration
} from 'drizzle-kit/api';
import { tables as postgresTables } from '#lib/adapters/postgres/schema.ts';
import { tables as sqliteTables } from '#lib/adapters/sqlite/schema.ts';

// Compares the tables of each engine with the snapshot of its last migration. A difference is an
// error, or with `--write NAME` the next migration. The files are those of drizzle-kit's command,
// which would need each table as an export of its own.

interface Snapshot {
	readonly id: string;
	readonly version: string;
}

interface Generator {
	readonly dialect: string;
	readonly tables: object;
	readonly snapshotOf: (tables: Record<string, unknown>, previous?: string) => unknown;
	readonly statements: (from: never, to: never) => Promise<string[]>;
}

const generators: Readonly<Record<string, Generator>> = {
	sqlite: {
		dialect: 'sqlite',
		tables: sqliteTables,
		snapshotOf: generateSQLiteDrizzleJson,
		statements: generateSQLiteMigration
	},
	postgres: {
		dialect: 'postgresql',
		tables: postgresTables,
		snapshotOf: generateDrizzleJson,
		statements: generateMigration
	}
};

const read = <T>(path: string): T | null => {
	try {
		return JSON.parse(readFileSync(path, 'utf8')) as T;
	} catch {
		return null;
	}
};

const write = (path: string, value: unknown): void =>
	writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);

const contentOf = (snapshot: Snapshot): object => ({
	...snapshot,
	id: null,
	prevId: null,
	_meta: null
});

const [option, name = 'change'] = process.argv.slice(2);
for (const [engine, { dialect, tables, snapshotOf, statements }] of Object.entries(generators)) {
	const meta = `drizzle/${engine}/meta`;
	const { entries } = read<{ entries: object[] }>(`${meta}/_journal.json`) ?? { entries: [] };
	const numbered = (index: number): string => String(index).padStart(4, '0');
	const idx = entries.length;
	const previous = read<Snapshot>(`${meta}/${numbered(idx - 1)}_snapshot.json`);
	const snapshot = async (of: object): Promise<Snapshot> =>
		JSON.parse(JSON.stringify(await snapshotOf({ ...of }, previous?.id))) as Snapshot;
	const [before, after] = [previous ?? (await snapshot({})), await snapshot(tables)];
	if (isDeepStrictEqual(contentOf(before), contentOf(after))) {
		console.log(`${engine}: schema and migrations agree`);
	} else if (option === '--write') {
		const tag = `${numbered(idx)}_${name}`;
		const sql = await statements(before as never, after as never);
		const entry = { idx, version: after.version, when: Date.now(), tag, breakpoints: true };
		mkdirSync(meta, { recursive: true });
		writeFileSync(`drizzle/${engine}/${tag}.sql`, sql.join('--> statement-breakpoint\n'));
		write(`${meta}/${numbered(idx)}_snapshot.json`, after);
		write(`${meta}/_journal.json`, { version: '7', dialect, entries: [...entries, entry] });
		console.log(`${engine}: wrote drizzle/${engine}/${tag}.sql`);
	} else {
		console.error(`${engine}: the schema needs a migration. Run: npm run db:generate NAME`);
		process.exitCode = 1;
	}
}
