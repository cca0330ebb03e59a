import { Cron } from 'croner';
import type { App } from '#lib/app.server.ts';
import { taskNames, tasks, type TaskApp } from './tasks.ts';

/** Every day at three, in the server's time zone. */
const DAILY = '0 3 * * *';

export type DailyApp = TaskApp & Pick<App, 'taskRuns' | 'log' | 'clock' | 'asSystem'>;

export const startDailyTasks = (app: DailyApp): { stop(): void } =>
	new Cron(DAILY, { unref: true }, () => runDailyTasks(app));

/**
 * The first instance to claim the day does the work. So a task also runs once in the night when
 * three o'clock comes twice.
 */
export const runDailyTasks = async (app: DailyApp): Promise<void> => {
	const today = localDayOf(app.clock.now());
	for (const name of taskNames) {
		try {
			if (!(await app.taskRuns.claim(name, today))) continue;
			app.log.event('task_done', { task: name, ...(await app.asSystem(() => tasks[name](app))) });
		} catch (error) {
			app.log.fault(`task ${name}`, error);
		}
	}
};

const localDayOf = (instant: Date): string => {
	const parts = [instant.getFullYear(), instant.getMonth() + 1, instant.getDate()];
	return parts.map((part) => String(part).padStart(2, '0')).join('-');
};
