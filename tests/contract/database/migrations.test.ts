import { statSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sqliteFile } from '../../support/http/database.ts';
import { present } from '../../support/http/fixtures.ts';
import {
	openAtOnce,
	openOnce,
	startInstance,
	type HowToOpen,
	type Instance
} from '../../support/process/instance.ts';
import {
	accounts,
	emptyDatabase,
	everythingIn,
	journal,
	otherMigrations,
	run,
	shipped,
	usedDatabase,
	type EmptyDatabase,
	type Engine
} from '../../support/database/migration-fixtures.ts';
import { rounds } from '../stores/examples.ts';

const COUNT = 3;

/** A migration of a later version. */
const LATER = 'create table later (n integer)';

/** Creates a table, waits as long as the table `pace` says, then creates another. */
const SLOW = {
	sqlite: `create table half (n integer);
--> statement-breakpoint
insert into half with recursive c (n) as
	(select 1 union all select n + 1 from c where n < (select n from pace)) select n from c;
--> statement-breakpoint
create table other_half (n integer);`,
	postgres: `create table half (n integer);
--> statement-breakpoint
select pg_sleep((select n from pace));
--> statement-breakpoint
create table other_half (n integer);`
};

/** Whether the migration above has begun and written. */
const isHalfWay = async (engine: Engine, url: string): Promise<boolean> => {
	if (engine === 'sqlite') {
		const log = statSync(`${sqliteFile(url)}-wal`, { throwIfNoEntry: false });
		return (log?.size ?? 0) > 1 << 20;
	}
	const sleeping = await run(
		url,
		`select 1 from pg_stat_activity where datname = current_database()
			and state = 'active' and query like '%pg_sleep%' and pid <> pg_backend_pid()`
	);
	return sleeping.length > 0;
};

let instances: readonly Instance[] = [];
beforeAll(async () => {
	instances = await Promise.all(Array.from({ length: COUNT }, startInstance));
});
afterAll(async () => {
	for (const instance of instances) await instance.kill();
});
const first = (): Instance => present(instances[0]);
const start = (url: string, how?: HowToOpen) => openOnce(first(), url, how);

const migrationsOn = (engine: Engine): void => {
	describe(`migrations at start (${engine})`, () => {
		const removed: { remove(): unknown }[] = [];
		const tracked = <T extends { remove(): unknown }>(made: T): T => {
			removed.push(made);
			return made;
		};
		const empty = async (): Promise<EmptyDatabase> => tracked(await emptyDatabase(engine));
		const used = async (): Promise<EmptyDatabase> => tracked(await usedDatabase(engine, first()));
		const other = (of: Parameters<typeof otherMigrations>[1]) =>
			tracked(otherMigrations(engine, of));
		afterEach(async () => {
			for (const made of removed.splice(0)) await made.remove();
		});

		it('M15: instances that start concurrently migrate an empty database once, and all open it', async () => {
			for (let round = 0; round < rounds(1, 20); round += 1) {
				const { url } = await empty();
				expect(await openAtOnce(instances, url)).toEqual([]);
				expect(await journal(url)).toEqual(shipped(engine));
			}
		});

		it('M15: instances of a later version that start concurrently run its migration once, and keep all rows', async () => {
			const { cwd } = other({ added: [LATER] });
			for (let round = 0; round < rounds(1, 20); round += 1) {
				const { url } = await used();
				const before = await accounts(url);
				expect(before).toHaveLength(1);
				expect(await openAtOnce(instances, url, { cwd })).toEqual([]);
				expect(await journal(url)).toEqual(shipped(engine, cwd));
				expect(await run(url, 'select * from later')).toEqual([]);
				expect(await accounts(url)).toEqual(before);
			}
		});

		it('M15: with the library’s own migrator, some of those instances fail', async () => {
			let refused: readonly string[] = [];
			for (let round = 0; round < 10 && refused.length === 0; round += 1) {
				refused = await openAtOnce(instances, (await empty()).url, { naive: true });
			}
			expect(refused.length).toBeGreaterThan(0);
		});

		it('M16: a killed migration changes nothing, and the next start runs it', async () => {
			const { url } = await used();
			const before = await accounts(url);
			await run(url, 'create table pace (n integer)', 'insert into pace values (1000000000)');
			const { cwd } = other({ added: [SLOW[engine]] });
			const killed = await startInstance();
			void killed.open(url, { cwd }).catch(() => undefined);
			await expect.poll(() => isHalfWay(engine, url)).toBe(true);
			await killed.kill();

			// Without the killed migration the database is unchanged.
			expect(await start(url)).toBeNull();
			expect(await journal(url)).toEqual(shipped(engine));
			expect(JSON.stringify(await everythingIn(url))).not.toContain('half');
			expect(await accounts(url)).toEqual(before);

			await run(url, 'update pace set n = 0');
			expect(await start(url, { cwd })).toBeNull();
			expect(await journal(url)).toEqual(shipped(engine, cwd));
			expect(JSON.stringify(await everythingIn(url))).toMatch(/other_half/);
		});

		it('M16: a failed migration undoes all earlier ones of that start, and is reported in one line', async () => {
			const { url } = await used();
			const before = await everythingIn(url);
			const broken = 'create table half (n integer);\n--> statement-breakpoint\ncreate table';
			const { cwd } = other({ added: [LATER, broken] });
			const number = String(shipped(engine).length + 1).padStart(4, '0');
			expect(await start(url, { cwd })).toMatch(
				new RegExp(`^migration ${number} failed, and nothing was changed \\(.+\\)\\. Start .+$`)
			);
			expect(await everythingIn(url)).toEqual(before);
			expect(await start(url)).toBeNull();
		});

		// migration-rules.test.ts has the other rules. They do not depend on the engine.
		if (engine === 'postgres') return;

		it('M16: an earlier program refuses the schema of a later one and leaves it unchanged', async () => {
			const { url } = await empty();
			await start(url, { cwd: other({ added: [LATER] }).cwd });
			const before = await everythingIn(url);
			expect(await start(url)).toBe(
				'the database was migrated by a newer version of Postern. Start that version, or restore a backup made before the upgrade'
			);
			expect(await everythingIn(url)).toEqual(before);
		});
	});
};

migrationsOn('sqlite');
migrationsOn('postgres');
