import postgres from 'postgres';
import { expect, it } from 'vitest';
import { emptyDatabase, otherMigrations, run } from '../../support/database/migration-fixtures.ts';
import { openOnce, startInstance } from '../../support/process/instance.ts';

/** The number of migrations before the first that changes the indexes of the outbox. */
const BEFORE_TURNS = 10;

it('a transaction of the earlier version that is under way and the migrations wait for each other in one order', async () => {
	const instance = await startInstance();
	const { url, remove } = await emptyDatabase('postgres');
	const earlier = otherMigrations('postgres', { keep: BEFORE_TURNS });
	const client = postgres(url, { max: 1 });
	const waiting = (): Promise<readonly unknown[]> =>
		run(url, `select 1 from pg_locks where not granted and relation = 'verification'::regclass`);
	try {
		expect(await openOnce(instance, url, { cwd: earlier.cwd })).toBeNull();
		let migrated: Promise<string | null> | null = null;
		// A sign-in writes to these tables in this order.
		await client.begin(async (tx) => {
			await tx`lock table verification in row exclusive mode`;
			migrated = openOnce(instance, url);
			await expect.poll(waiting).toHaveLength(1);
			await tx`lock table session in row exclusive mode`;
			await tx`lock table email_outbox in row exclusive mode`;
		});
		expect(await migrated).toBeNull();
	} finally {
		await client.end();
		await instance.kill();
		earlier.remove();
		await remove();
	}
});
