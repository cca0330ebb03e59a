import type { App } from '#lib/app.server.ts';

type Counts = Readonly<Record<string, number>>;

/**
 * The daily tasks, which `npm run task` can run by hand. Each reports what it removed.
 *
 * The purge comes first: it clears the wrong codes in the throttle row of a removed account's email
 * address, and the pruning of the same night can then remove the row.
 */
export const tasks = {
	'account:purge': async (app: TaskApp): Promise<Counts> => ({
		accounts: await app.purgeAccounts()
	}),
	'auth:prune-throttle': (app: TaskApp): Promise<Counts> => app.pruneExpired()
} as const;

export type TaskName = keyof typeof tasks;
export type TaskApp = Pick<App, 'pruneExpired' | 'purgeAccounts'>;

export const taskNames = Object.keys(tasks) as readonly TaskName[];
