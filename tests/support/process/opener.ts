// An instance that only opens its database, as a process of its own: it opens one on request,
// reports the result, and closes it on request.
import 'better-sqlite3';
import 'postgres';
import { openPostgres } from '#lib/adapters/postgres/open.ts';
import { openSqlite } from '#lib/adapters/sqlite/open.ts';
import type { OpenOrder } from './instance.ts';
import { naiveMigrate } from './naive-migrate.ts';

interface Open {
	close(): Promise<void>;
}

let at: string | undefined;

const open = async ({ url, cwd, naive, user }: OpenOrder): Promise<Open> => {
	// After switching the user, it may not be able to read its own folder.
	if (at !== cwd) process.chdir(cwd);
	at = cwd;
	if (user !== undefined) process.setuid?.(user);
	if (naive) {
		await naiveMigrate(url);
		return { close: async () => undefined };
	}
	return url.startsWith('file:') ? openSqlite(url, { say: console.log }) : openPostgres(url);
};

let database: Open | undefined;

const obey = async (order: OpenOrder | 'let go'): Promise<string | null> => {
	try {
		if (order !== 'let go') database = await open(order);
		else {
			await database?.close();
			database = undefined;
		}
		return null;
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
};

process.on('message', (order: OpenOrder | 'let go') => {
	void obey(order).then((refusal) => process.send?.({ refusal }));
});
process.on('disconnect', () => process.exit());
process.send?.('loaded');
