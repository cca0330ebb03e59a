import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openPostgres } from '#lib/adapters/postgres/open.ts';
import type { Sql } from '#lib/adapters/sql/sql.ts';
import { openSqlite } from '#lib/adapters/sqlite/open.ts';
import { createDatabase, dropDatabase } from '../../support/postgres/cluster.ts';
import { arenaOf } from '../../support/races/arena.ts';
import { processRaces } from '../../support/races/process-races.ts';
import { soundContest, type Contest } from '../../support/races/racer-stores.ts';
import { startRacers, type Racers } from '../../support/races/racers.ts';
import { rounds } from '../stores/examples.ts';

const count = rounds(2, 4);
/** The rounds after which an intact naive twin counts as correct. */
const PATIENCE = 300;

interface Field {
	readonly racers: Racers;
	readonly stores: Contest;
	close(): Promise<void>;
}

const instancesOn = (
	engine: string,
	create: () => Promise<{ url: string; remove: () => Promise<void> }>,
	open: (url: string) => Promise<Sql>
): void => {
	describe(`instances in separate processes (${engine})`, () => {
		/** An empty database that all of them open at once. */
		const openField = async (): Promise<Field> => {
			const { url, remove } = await create();
			const racers = await startRacers(url, count);
			const sql = await open(url);
			const close = async (): Promise<void> => {
				await racers.stop();
				await sql.close();
				await remove();
			};
			return { racers, stores: soundContest(sql), close };
		};
		let field: Field;
		beforeAll(async () => {
			field = await openField();
		});
		afterAll(() => field.close());

		it('M15, A01, B01: instances that start concurrently on an empty database migrate it once and count exactly together', async () => {
			const counting = processRaces.filter(({ title }) => /^(?:A01|B01)/.test(title));
			expect(counting).toHaveLength(2);
			for (let round = 0; round < rounds(1, 8); round += 1) {
				const { racers, stores, close } = round === 0 ? field : await openField();
				expect(racers.count).toBe(count);
				for (const { run, always } of counting) {
					expect(await run(arenaOf(stores, racers), round)).toEqual(always);
				}
				if (round > 0) await close();
			}
		});

		for (const { title, naively, run, always, narrow, naive } of processRaces) {
			it(title, async () => {
				const arena = arenaOf(field.stores, field.racers);
				for (let round = 0; round < (narrow ? rounds(10, 200) : rounds(3, 40)); round += 1) {
					expect(await run(arena, round)).toEqual(always);
				}
			});

			// Shows that the rounds can fail (Q09). Each process runs its twins one operation at a time.
			// So a failure shows that a lock within a process does not protect the database, which no
			// test within one process can show.
			it(`Q09 ${title}; ${naively}`, async () => {
				const arena = arenaOf(field.stores, field.racers, naive);
				let kept = 0;
				while (kept < PATIENCE && isDeepStrictEqual(await run(arena, kept), always)) kept += 1;
				expect(kept).toBeLessThan(PATIENCE);
			});
		}
	});
};

instancesOn(
	'sqlite',
	async () => {
		const folder = await mkdtemp(join(tmpdir(), 'postern-instances-'));
		return {
			url: `file:${join(folder, 'postern.db')}`,
			remove: () => rm(folder, { recursive: true, force: true })
		};
	},
	openSqlite
);
instancesOn(
	'postgres',
	async () => {
		const server = inject('postgresUrl');
		const url = await createDatabase(server);
		return { url, remove: () => dropDatabase(server, url) };
	},
	openPostgres
);
