import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBuiltServer } from '../../support/process/built-server.ts';
import { freshCode } from '../../support/http/client.ts';
import { startInstance, type Instance } from '../../support/process/instance.ts';
import {
	accounts,
	journal,
	otherMigrations,
	shipped,
	usedDatabase,
	type Engine
} from '../../support/database/migration-fixtures.ts';

let instance: Instance;
beforeAll(async () => {
	instance = await startInstance();
});
afterAll(() => instance.kill());

test.each<Engine>(['sqlite', 'postgres'])(
	'M15 a later version migrates on %s while an earlier one serves, and both serve',
	async (engine) => {
		const database = await usedDatabase(engine, instance);
		const before = await accounts(database.url);
		const later = otherMigrations(engine, {
			added: ['alter table verification add column later text']
		});
		const earlier = await startBuiltServer({ databaseUrl: database.url });
		const upgraded = await startBuiltServer({ databaseUrl: database.url, folder: later.cwd });
		for (const server of [earlier, upgraded]) {
			// This writes to the database.
			expect(await freshCode(server, 'grace@example.com')).toMatch(/^\d{6}$/);
			expect(await server.stop()).toBe(0);
		}
		expect(await journal(database.url)).toEqual(shipped(engine, later.cwd));
		expect(await accounts(database.url)).toEqual(before);
		later.remove();
		await database.remove();
	}
);
