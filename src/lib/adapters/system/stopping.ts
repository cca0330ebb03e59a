let stopping = false;

/** Announces that the process is stopping and finishes its running requests. */
export const announceStop = (): void => {
	stopping = true;
};

export const isStopping = (): boolean => stopping;
