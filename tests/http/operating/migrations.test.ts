import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startBuiltServer, type BuiltServer } from '../../support/process/built-server.ts';
import { call } from '../../support/http/client.ts';
import { startInstance, type Instance } from '../../support/process/instance.ts';
import {
	accounts,
	journal,
	otherMigrations,
	shipped,
	usedDatabase,
	type EmptyDatabase,
	type Engine
} from '../../support/database/migration-fixtures.ts';

let instance: Instance;
beforeAll(async () => {
	instance = await startInstance();
});
afterAll(() => instance.kill());

describe.each<Engine>(['sqlite', 'postgres'])('servers that start on %s', (engine) => {
	let database: EmptyDatabase;
	const databases: EmptyDatabase[] = [];
	const use = (made: EmptyDatabase): void => {
		database = made;
		databases.push(made);
	};
	afterEach(async () => {
		for (const made of databases.splice(0)) await made.remove();
	});

	/** The server must write to the database. */
	const expectToServe = async (server: BuiltServer, email: string): Promise<void> => {
		const sent = await call(server, '/api/auth/email-otp/send-verification-otp', {
			json: { email, type: 'sign-in' }
		});
		expect(sent.status).toBe(200);
		expect(await server.codeFor(email)).toMatch(/^\d{6}$/);
	};

	test('M15 a later version migrates while an earlier one serves, and both serve', async () => {
		use(await usedDatabase(engine, instance));
		const before = await accounts(database.url);
		const later = otherMigrations(engine, {
			added: ['alter table verification add column later text']
		});
		const earlier = await startBuiltServer({ databaseUrl: database.url });
		const upgraded = await startBuiltServer({ databaseUrl: database.url, folder: later.cwd });
		for (const server of [earlier, upgraded]) {
			await expectToServe(server, 'grace@example.com');
			expect(await server.stop()).toBe(0);
		}
		expect(await journal(database.url)).toEqual(shipped(engine, later.cwd));
		expect(await accounts(database.url)).toEqual(before);
		later.remove();
	});
});
