import { Cron } from 'croner';
import type { App } from '#lib/app.server.ts';
import { taskNames, tasks, type TaskApp } from './tasks.ts';

/** Every day at three, by the clock on the wall of the server's time zone. */
export const DAILY = '0 3 * * *';

export type DailyApp = TaskApp & Pick<App, 'taskRuns' | 'log' | 'clock'>;

/** Runs the tasks every day until it is stopped. */
export const startDailyTasks = (app: DailyApp): { stop(): void } => {
	const job = new Cron(DAILY, { unref: true }, () => runDailyTasks(app));
	return { stop: () => job.stop() };
};

/**
 * Runs each task unless it has been run today, by this or another instance: whoever claims the day
 * first does the work. So the night in which three o'clock comes twice has one run, too.
 */
export const runDailyTasks = async (app: DailyApp): Promise<void> => {
	const today = dayOf(app.clock.now());
	for (const name of taskNames) {
		try {
			if (!(await app.taskRuns.claim(name, today))) continue;
			app.log.event('task_done', { task: name, ...(await tasks[name](app)) });
		} catch (error) {
			app.log.fault(`task ${name}`, error);
		}
	}
};

/** The calendar day of an instant in the server's time zone. */
const dayOf = (instant: Date): string => {
	const parts = [instant.getFullYear(), instant.getMonth() + 1, instant.getDate()];
	return parts.map((part) => String(part).padStart(2, '0')).join('-');
};
