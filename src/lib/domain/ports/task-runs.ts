/** Which daily tasks ran when, shared by all instances. */
export interface TaskRuns {
	/**
	 * Claims the run of a task on a calendar day (`2026-03-29`). True for exactly one of any number
	 * of claims of the same task and day. Forgets claims of the task for earlier days, so those can
	 * be claimed anew: a clock that was ahead must not stop a task until that day comes.
	 */
	claim(task: string, day: string): Promise<boolean>;
}
