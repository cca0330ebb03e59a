import { sessionSettings } from './session-settings.ts';

/** Any number will do, as long as every instance takes the same. */
const LOCK = 7_767_837;

/**
 * Runs pending migrations on a connection of its own, one instance at a time: `if not exists` of
 * two at once still collides. The lock goes with the connection, whatever happens in between.
 */
export const migratePostgres = async (url: string): Promise<void> => {
	const { default: connect } = await import('postgres');
	const { drizzle } = await import('drizzle-orm/postgres-js');
	const { migrate } = await import('drizzle-orm/postgres-js/migrator');
	const client = connect(url, {
		max: 1,
		max_lifetime: null,
		connect_timeout: 5,
		fetch_types: false,
		onnotice: () => {},
		// Waiting for the lock and building an index may take their time.
		connection: { ...sessionSettings, statement_timeout: 0 }
	});
	try {
		await client`select pg_advisory_lock(${LOCK})`;
		await migrate(drizzle(client), { migrationsFolder: 'drizzle/postgres' });
	} finally {
		await client.end({ timeout: 5 });
	}
};
