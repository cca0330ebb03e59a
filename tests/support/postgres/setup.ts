import type { TestProject } from 'vitest/node';
import { startPostgres, type PostgresServer } from './cluster.ts';

declare module 'vitest' {
	interface ProvidedContext {
		/** Of the maintenance database; `createDatabase` in postgres-server.ts makes others. */
		postgresUrl: string;
	}
}

interface Shared {
	users: number;
	server: Promise<PostgresServer> | null;
}

/** Every project loads this file for itself; the server they share hangs on the process. */
const shared = globalThis as typeof globalThis & { posternPostgres?: Shared };

export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
	const held = (shared.posternPostgres ??= { users: 0, server: null });
	held.users += 1;
	held.server ??= startPostgres();
	provide('postgresUrl', (await held.server).url);
	return async () => {
		held.users -= 1;
		if (held.users > 0) return;
		const { server } = held;
		held.server = null;
		await (await server)?.stop();
	};
};
