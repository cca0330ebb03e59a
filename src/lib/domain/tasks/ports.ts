/** Records when each task ran. All instances share it. */
export interface TaskRuns {
	/**
	 * Claims the run of a task on a calendar day (`2026-03-29`). True for exactly one of any number of
	 * claims of the same task and day. It forgets claims of the task for earlier days, so those days
	 * can be claimed again. So a clock that ran ahead does not block the task until that day comes.
	 */
	claim(task: string, day: string): Promise<boolean>;
}

declare module '../deps.ts' {
	interface Stores {
		readonly taskRuns: TaskRuns;
	}
}
