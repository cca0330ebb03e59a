import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openPostgres } from '#lib/adapters/postgres/open.ts';
import type { Sql } from '#lib/adapters/sql/sql.ts';
import { sqlStores } from '#lib/adapters/sql/stores.ts';
import { openSqlite } from '#lib/adapters/sqlite/open.ts';
import { createDatabase, dropDatabase } from '../support/postgres-server.ts';
import type { RacerResult } from '../support/racer.ts';
import { aChallenge, anEmail, at, rounds } from './examples.ts';

const count = rounds(2, 4);
const script = fileURLToPath(new URL('../support/racer.ts', import.meta.url));

/** A process that has opened the database; `race` lets it go and tells what came of it. */
const racer = async (url: string, email: string) => {
	const child = spawn(process.execPath, [script, url, email, at(1).toISOString()], {
		stdio: ['pipe', 'pipe', 'inherit']
	});
	let said = '';
	const closed = once(child, 'close');
	child.stdout.on('data', (text: Buffer) => (said += text.toString()));
	await Promise.race([once(child.stdout, 'data'), closed]);
	return {
		ready: said.startsWith('ready'),
		race: async (): Promise<RacerResult> => {
			child.stdin.end();
			await closed;
			return JSON.parse(said.slice(said.indexOf('\n'))) as RacerResult;
		}
	};
};

const instancesOn = (
	engine: string,
	create: () => Promise<{ url: string; remove: () => Promise<void> }>,
	open: (url: string) => Promise<Sql>
): void => {
	describe(`instances in processes of their own (${engine})`, () => {
		let database: Awaited<ReturnType<typeof create>>;
		beforeAll(async () => {
			database = await create();
		});
		afterAll(() => database.remove());

		it('M15, A01, B01: those that start at once on an empty database migrate it once and count exactly together', async () => {
			for (let round = 0; round < rounds(1, 20); round += 1) {
				if (round > 0) {
					await database.remove();
					database = await create();
				}
				const email = anEmail();
				const racers = await Promise.all(
					Array.from({ length: count }, () => racer(database.url, email))
				);
				expect(racers.filter(({ ready }) => ready)).toHaveLength(count);

				const sql = await open(database.url);
				await sqlStores(sql).challenges.issue(aChallenge({ email }), at(0));
				const results = await Promise.all(racers.map(({ race }) => race()));
				await sql.close();
				const total = (of: 'compared' | 'sent') =>
					results.reduce((sum, result) => sum + result[of], 0);
				expect(results.flatMap(({ faults }) => faults)).toEqual([]);
				expect({ compared: total('compared'), sent: total('sent') }).toEqual({
					compared: 5,
					sent: 5
				});
			}
		});
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
