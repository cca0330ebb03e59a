import { randomBytes } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { dropDatabases, startPostgres } from './cluster.ts';

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

export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
	const server = await startPostgres();
	const prefix = `postern_${randomBytes(4).toString('hex')}`;
	provide('postgresUrl', server.url);
	provide('postgresPrefix', prefix);
	return async () => {
		await dropDatabases(server.url, prefix);
		await server.stop();
	};
};
