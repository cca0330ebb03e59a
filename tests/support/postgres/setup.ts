import { randomBytes } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { dropDatabases, startPostgres, type PostgresServer } from './cluster.ts';

declare module 'vitest' {
	interface ProvidedContext {
		/** The URL of the maintenance database; `createDatabase` in cluster.ts creates others. */
		postgresUrl: string;
		/**
		 * The prefix of the databases that a worker leaves behind; they are dropped after all tests.
		 */
		postgresPrefix: string;
	}
}

interface Shared {
	users: number;
	server: Promise<PostgresServer> | null;
}

/** Every project loads this file separately; the process holds the shared server. */
const shared = globalThis as typeof globalThis & { posternPostgres?: Shared };

export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
	const held = (shared.posternPostgres ??= { users: 0, server: null });
	held.users += 1;
	held.server ??= startPostgres();
	const { url } = await held.server;
	const prefix = `postern_${randomBytes(4).toString('hex')}`;
	provide('postgresUrl', url);
	provide('postgresPrefix', prefix);
	return async () => {
		await dropDatabases(url, prefix);
		held.users -= 1;
		if (held.users > 0) return;
		const { server } = held;
		held.server = null;
		await (await server)?.stop();
	};
};
