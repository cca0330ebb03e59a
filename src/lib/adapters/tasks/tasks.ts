import type { App } from '#lib/app.server.ts';

type Counts = Readonly<Record<string, number>>;

/** The daily tasks, which `npm run task` can run by hand. Each reports what it removed. */
export const tasks = {
	'auth:prune-throttle': async (app: TaskApp): Promise<Counts> => ({
		...(await app.pruneThrottle())
	}),
	'account:purge': async (app: TaskApp): Promise<Counts> => ({
		accounts: await app.purgeAccounts()
	})
} as const;

export type TaskName = keyof typeof tasks;
export type TaskApp = Pick<App, 'pruneThrottle' | 'purgeAccounts'>;

export const taskNames = Object.keys(tasks) as readonly TaskName[];
