import { Cron } from 'croner';
import type { App } from '#lib/app.server.ts';

/** At a quarter past each hour, the codes of the hour before can no longer be entered. */
export const HOURLY = '15 * * * *';

/** The name under which the comparison of an hour is claimed. */
const COMPARISON = 'mail:completion';

export type HourlyApp = Pick<App, 'lowCompletions' | 'taskRuns' | 'log' | 'clock'>;

/** Compares deliveries every hour until `stop` is called. */
export const startHourlyTasks = (app: HourlyApp): { stop(): void } => {
	const job = new Cron(HOURLY, { unref: true }, () => compareDeliveries(app));
	return { stop: () => job.stop() };
};

/**
 * Logs each mail host whose codes are entered far less often than usual. One instance does it, so
 * that a host has one line in an hour.
 */
export const compareDeliveries = async (app: HourlyApp): Promise<void> => {
	const hour = app.clock.now().toISOString().slice(0, '2026-03-29T13'.length);
	try {
		if (!(await app.taskRuns.claim(COMPARISON, hour))) return;
		for (const low of await app.lowCompletions()) app.log.event('mail_completion_low', { ...low });
	} catch (error) {
		app.log.fault(`task ${COMPARISON}`, error);
	}
};
