import { randomBytes } from 'node:crypto';
import { statfsSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { dropDatabases, startPostgres } from './cluster.ts';

const MEMORY = '/dev/shm';

/** Whether Linux offers enough of its memory as a file system. */
const hasRoomInMemory = (): boolean => {
	try {
		const { bavail, bsize } = statfsSync(MEMORY);
		return bavail * bsize > 4 * 2 ** 30;
	} catch {
		return false;
	}
};

export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
	// For the workers too. On a disk, the same tests take half as much processor time again.
	if (process.env.TMPDIR === undefined && hasRoomInMemory()) process.env.TMPDIR = MEMORY;
	const url = process.env.TEST_POSTGRES_URL;
	const server = url ? { url, stop: async () => undefined } : await startPostgres();
	const prefix = `postern_${randomBytes(4).toString('hex')}`;
	provide('postgresUrl', server.url);
	provide('postgresPrefix', prefix);
	return async () => {
		await dropDatabases(server.url, prefix);
		await server.stop();
	};
};
